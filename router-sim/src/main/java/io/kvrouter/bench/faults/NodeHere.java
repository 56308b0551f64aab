package io.kvrouter.bench.faults;

import io.kvrouter.http.node.RouterNode;
import io.kvrouter.http.settings.ConfigSources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A node in this process, where one can look into its memory, with time-outs short enough to meet them. */
public final class NodeHere implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RouterNode node;
    private final int port;
    private final HttpClient client = HttpClient.newHttpClient();

    private NodeHere(RouterNode node) {
        this.node = node;
        this.port = node.apiPort().toCompletableFuture().join();
    }

    /** Waits so long for a worker's answer, and between its parts. */
    public static NodeHere start(Duration patience) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "kvrouter.api-port", "0",
                "kvrouter.http2-port", "0",
                "kvrouter.management-port", "0",
                "kvrouter.remoting-port", "0",
                "kvrouter.shutdown.grace", "0s",
                "kvrouter.health-check-interval", "250ms",
                "kvrouter.session-ttl", "5s",
                "kvrouter.tokens.ask-engines", "false"));
        settings.putAll(Map.of(
                "kvrouter.upstream.first-byte-timeout", patience.toMillis() + "ms",
                "kvrouter.upstream.idle-timeout", patience.toMillis() + "ms",
                "kvrouter.upstream.keep-alive", "2s",
                "kvrouter.breaker.open", "500ms",
                "kvrouter.breaker.longest-open", "2s",
                "kvrouter.breaker.slow-start", "1s",
                "pekko.loglevel", "WARNING",
                "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook", "off"));
        var config = ConfigSources.load(settings, Map.of(), Optional.empty());
        return new NodeHere(RouterNode.start(config).toCompletableFuture().join());
    }

    public int port() {
        return port;
    }

    /** Of the same API by HTTP/2. */
    public int http2Port() {
        return node.http2Port().toCompletableFuture().join().orElseThrow();
    }

    /** Registers workers and waits until they take requests. */
    public void register(Collection<URI> workers) {
        for (URI worker : workers) {
            var body = BodyPublishers.ofString("{\"url\":\"" + worker + "\"}");
            send(HttpRequest.newBuilder(managed("/workers"))
                    .header("Content-Type", "application/json")
                    .POST(body));
        }
        if (!await(() -> available() == workers.size())) {
            throw new IllegalStateException("workers that take requests: " + available() + " of " + workers.size());
        }
    }

    /** Workers that take requests. */
    public double available() {
        return metric("kvrouter_workers{state=\"up\"}") + metric("kvrouter_workers{state=\"trial\"}");
    }

    /** A series of its metrics; 0 if there is none. */
    public double metric(String series) {
        return send(HttpRequest.newBuilder(managed("/metrics")))
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .sum();
    }

    /** Requests that its load still has. */
    public double load() {
        return send(HttpRequest.newBuilder(managed("/metrics")))
                .lines()
                .filter(line -> line.startsWith("kvrouter_own_load_requests{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private URI managed(String path) {
        return URI.create("http://127.0.0.1:" + node.managementPort() + path);
    }

    private String send(HttpRequest.Builder request) {
        try {
            return client.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Whether it became so within a minute. */
    public static boolean await(BooleanSupplier claim) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!claim.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        return true;
    }

    @Override
    public void close() {
        client.close();
        node.stop();
        node.terminated().toCompletableFuture().join();
    }
}
