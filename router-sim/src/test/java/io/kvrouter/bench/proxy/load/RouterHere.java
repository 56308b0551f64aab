package io.kvrouter.bench.proxy.load;

import io.kvrouter.http.node.RouterNode;
import io.kvrouter.http.settings.ConfigSources;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A node of the router in this process, all of it, before one engine. */
final class RouterHere implements AutoCloseable {
    private static final long PATIENCE_S = 60;

    private final RouterNode node;
    private final URI url;

    private RouterHere(RouterNode node) {
        this.node = node;
        this.url = URI.create(
                "http://127.0.0.1:" + node.apiPort().toCompletableFuture().join());
    }

    /** Starts it; done when the engine takes requests. */
    static RouterHere before(URI engine) {
        var config = ConfigSources.load(
                Map.of(
                        "kvrouter.api-port", "0",
                        "kvrouter.management-port", "0",
                        "kvrouter.remoting-port", "0",
                        "kvrouter.shutdown.grace", "0s",
                        "kvrouter.health-check-interval", "200ms",
                        "kvrouter.worker-urls", engine.toString(),
                        "pekko.loglevel", "WARNING",
                        "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook", "off"),
                Map.of(),
                Optional.empty());
        var router =
                new RouterHere(RouterNode.start(config).toCompletableFuture().join());
        await(() -> router.metric("kvrouter_workers{state=\"up\"}") == 1);
        return router;
    }

    URI url() {
        return url;
    }

    /** A series of its metrics; 0 if there is none. */
    double metric(String series) {
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.managementPort() + "/metrics"));
            return http.send(request.build(), BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(series + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                    .sum();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void await(BooleanSupplier claim) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!claim.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("still not so after " + PATIENCE_S + " s");
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
        }
    }

    @Override
    public void close() {
        node.stop();
        node.terminated().toCompletableFuture().join();
    }
}
