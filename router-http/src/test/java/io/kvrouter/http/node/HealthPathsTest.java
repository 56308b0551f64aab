package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.settings.ConfigSources;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorSystem;
import org.junit.jupiter.api.Test;

/** What probes are answered at {@code /ready} and {@code /alive}. */
class HealthPathsTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** A check that an operator may have added. */
    public static final class Broken implements Supplier<CompletionStage<Boolean>> {
        public Broken(ActorSystem system) {
            assertThat(system).isNotNull();
        }

        @Override
        public CompletionStage<Boolean> get() {
            return CompletableFuture.completedFuture(false);
        }
    }

    @Test
    void aNodeThatHasNotJoinedIsNotReadyAndSaysWhy() throws Exception {
        RouterNode node = start(Map.of("kvrouter.join", "127.0.0.1:1"));

        var answer = get(node, "/ready");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("not ready: it has not joined the cluster yet");
        assertThat(get(node, "/alive").statusCode()).isEqualTo(200);
        stop(node);
    }

    @Test
    void aServingNodeIsReadyUntilItLeaves() throws Exception {
        RouterNode node = start(Map.of("kvrouter.shutdown.grace", "5s"));
        node.apiPort().toCompletableFuture().get(60, TimeUnit.SECONDS);
        eventually("ready", () -> get(node, "/ready").statusCode() == 200);
        assertThat(get(node, "/ready").body()).isEqualTo("OK");

        var left = node.stop();

        eventually("not ready", () -> get(node, "/ready").statusCode() == 503);
        assertThat(get(node, "/ready").body()).isEqualTo("not ready: it is leaving");
        left.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @Test
    void aCheckOfAnOperatorsOwnCounts() throws Exception {
        RouterNode node = start(Map.of(
                "pekko.management.health-checks.liveness-checks.disk", Broken.class.getName(),
                "pekko.management.health-checks.readiness-checks.moon", Broken.class.getName()));
        node.apiPort().toCompletableFuture().get(60, TimeUnit.SECONDS);

        assertThat(get(node, "/alive").statusCode()).isEqualTo(503);
        assertThat(get(node, "/alive").body()).startsWith("not alive: ").endsWith("liveness-checks fails");
        eventually("only that", () -> get(node, "/ready").body().endsWith("readiness-checks fails"));
        assertThat(get(node, "/ready").statusCode()).isEqualTo(503);
        stop(node);
    }

    private static RouterNode start(Map<String, String> settings) throws Exception {
        Map<String, String> flags = new HashMap<>(Map.of(
                "kvrouter.api-port", "0",
                "kvrouter.management-port", "0",
                "kvrouter.remoting-port", "0",
                "kvrouter.shutdown.grace", "0s",
                "pekko.loglevel", "WARNING",
                "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook", "off"));
        flags.putAll(settings);
        var config = ConfigSources.load(flags, Map.of(), Optional.empty());
        return RouterNode.start(config).toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static HttpResponse<String> get(RouterNode node, String path) {
        var uri = URI.create("http://127.0.0.1:" + node.managementPort() + path);
        return CLIENT.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .join();
    }

    private static void stop(RouterNode node) throws Exception {
        node.stop().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
