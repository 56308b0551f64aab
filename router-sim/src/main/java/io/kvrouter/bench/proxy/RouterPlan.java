package io.kvrouter.bench.proxy;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The router that is measured.
 *
 * @param nodes of its cluster; the first takes the requests, but those over TLS the last
 * @param settings of its nodes, by full key
 * @param protocols spoken to it beside HTTP/1.1 in plain text
 */
public record RouterPlan(int nodes, Map<String, String> settings, Set<Protocol> protocols) {
    public RouterPlan {
        settings = Map.copyOf(settings);
        protocols = protocols.isEmpty() ? Set.of() : EnumSet.copyOf(protocols);
        int least = protocols.stream().anyMatch(Protocol::tls) ? 2 : 1;
        if (nodes < least) {
            throw new IllegalArgumentException(
                    "nodes: %d (expected: at least 1; 2 where one has TLS, which is then all that its port speaks)"
                            .formatted(nodes));
        }
    }

    /** Whether a node has TLS. */
    boolean tls() {
        return protocols.stream().anyMatch(Protocol::tls);
    }

    /** Whether nodes have a port of HTTP/2. */
    boolean http2() {
        return protocols.stream().anyMatch(Protocol::http2);
    }
}
