package io.kvrouter.bench.sessions;

import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.sessions.load.TurnClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The load balancer's health check: asks every node for {@code /health}, as often as a real one would. */
final class Watch implements AutoCloseable {
    private static final long INTERVAL_MS = 500;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final int OK = 200;

    private final LocalCluster cluster;
    private final TurnClient client;
    private final Map<URI, Boolean> known = new ConcurrentHashMap<>();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ScheduledExecutorService rounds = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("health").factory());

    Watch(LocalCluster cluster, TurnClient client) {
        this.cluster = cluster;
        this.client = client;
    }

    /** The nodes that take requests are known to the client when this returns. */
    void begin() {
        round();
        var unused = rounds.scheduleWithFixedDelay(this::round, INTERVAL_MS, INTERVAL_MS, TimeUnit.MILLISECONDS);
    }

    /** Nodes that have begun to take requests are known to the client from now on. */
    private void round() {
        for (LocalNode node : cluster.nodes()) {
            if (node.alive() && node.ready().isDone() && !node.ready().isCompletedExceptionally()) {
                check(node.api());
            }
        }
    }

    private void check(URI api) {
        if (known.putIfAbsent(api, true) == null) {
            client.add(api);
        }
        var request =
                HttpRequest.newBuilder(api.resolve("/health")).timeout(TIMEOUT).build();
        var unused = http.sendAsync(request, BodyHandlers.discarding()).handle((answer, failure) -> {
            client.health(api, failure == null && answer.statusCode() == OK);
            return true;
        });
    }

    @Override
    public void close() {
        rounds.shutdownNow();
        http.shutdownNow();
    }
}
