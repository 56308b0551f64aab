package io.kvrouter.multijvm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Four nodes for all tests that leave them as they are, started with the first and ended after the last. They check the
 * health of a worker once and then in an hour, so that only a request tells them of its death; but for the third, which
 * checks all the time.
 */
final class SharedCluster implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SharedCluster.class);

    /** The node that hears of a worker's death by health checks. */
    static final int WATCHFUL = 2;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == NodeCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        var store = context.getRoot().getStore(NAMESPACE);
        return store.getOrComputeIfAbsent("cluster", key -> start(), NodeCluster.class); // the store closes it
    }

    private static NodeCluster start() {
        try {
            return NodeCluster.start(
                    "shared", List.of(settings("1h"), settings("1h"), settings("200ms"), settings("1h")));
        } catch (Error | RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> settings(String healthCheckInterval) {
        Map<String, String> settings = new HashMap<>();
        settings.put("kvrouter.health-check-interval", healthCheckInterval);
        settings.put("kvrouter.health-check-timeout", "30s");
        settings.put("kvrouter.session-decision-budget", "10s"); // decisions are asserted, on however slow a machine
        settings.put("kvrouter.session-ttl-per-model.brief-model", "2s");
        return settings;
    }
}
