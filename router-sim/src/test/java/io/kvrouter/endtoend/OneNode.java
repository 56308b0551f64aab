package io.kvrouter.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import io.kvrouter.http.node.RouterNode;
import io.kvrouter.http.settings.ConfigSources;
import io.kvrouter.sim.server.SimulatedWorker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** A node of this router in this process, which follows what its workers publish. */
final class OneNode implements AutoCloseable {
    private static final long PATIENCE_S = 60;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<SimulatedWorker, String> ids = new HashMap<>();
    private final RouterNode node;
    private final URI api;
    private final URI management;

    private OneNode(RouterNode node) {
        this.node = node;
        this.api = URI.create(
                "http://127.0.0.1:" + node.apiPort().toCompletableFuture().join());
        this.management = URI.create("http://127.0.0.1:" + node.managementPort());
    }

    /** With these settings besides the usual. */
    static OneNode start(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(Map.of(
                "kvrouter.api-port", "0",
                "kvrouter.management-port", "0",
                "kvrouter.remoting-port", "0",
                "kvrouter.shutdown.grace", "0s",
                "kvrouter.health-check-interval", "100ms",
                "kvrouter.tokens.engine-timeout", "30 s",
                "pekko.loglevel", "WARNING",
                "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook", "off"));
        var config = ConfigSources.load(all, Map.of(), Optional.empty());
        return new OneNode(RouterNode.start(config).toCompletableFuture().join());
    }

    URI api() {
        return api;
    }

    OpenAIClient client() {
        return OpenAIOkHttpClient.builder()
                .baseUrl(api + "/v1")
                .apiKey("unused")
                .maxRetries(0)
                .build();
    }

    /** Registers a worker with its event streams; done when it takes turns and they are followed. */
    void register(SimulatedWorker worker) {
        registerOnly(worker);
        awaitEvents(worker);
    }

    /** The same, but its streams may be of no use. */
    void registerOnly(SimulatedWorker worker) {
        var answer = send(
                request(management, "/workers").POST(BodyPublishers.ofString(String.valueOf(worker.registration()))));
        ids.put(worker, parse(answer.body()).path("id").asText());
        awaitWorker(worker, json -> json.path("state").asText().equals("up"));
    }

    /** As the management API tells it. */
    JsonNode worker(SimulatedWorker worker) {
        return parse(
                send(request(management, "/workers/" + ids.get(worker)).GET()).body());
    }

    /** Until the worker is told so. */
    void awaitWorker(SimulatedWorker worker, Predicate<JsonNode> as) {
        await(() -> as.test(worker(worker)));
    }

    /** Until everything that a worker has published is in the router's index. */
    void awaitEvents(SimulatedWorker worker) {
        awaitWorker(worker, json -> {
            var ranks = json.path("kv").path("ranks");
            boolean all = !ranks.isEmpty();
            for (JsonNode rank : ranks) {
                long published = worker.lastSequence(rank.path("rank").asInt());
                all &= rank.path("last_sequence").asLong() == published;
            }
            return all;
        });
    }

    /** Until a worker that serves the model takes turns. */
    void awaitModel(String model) {
        await(() -> send(request(api, "/v1/models/" + model).GET()).statusCode() == 200);
    }

    /** A series of {@code /metrics}, by its whole name; 0 if there is none. */
    long metric(String series) {
        return send(request(management, "/metrics").GET())
                .body()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length() + 1)))
                .sum();
    }

    /** A turn's answer. */
    HttpResponse<String> post(String path, String body, String... headers) {
        var request = request(api, path).POST(BodyPublishers.ofString(body));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    static void await(BooleanSupplier claim) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!claim.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("still not so after " + PATIENCE_S + " s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new AssertionError(json, e);
        }
    }

    private static HttpRequest.Builder request(URI base, String path) {
        return HttpRequest.newBuilder(base.resolve(path))
                .timeout(Duration.ofSeconds(PATIENCE_S))
                .header("Content-Type", "application/json");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        client.close();
        node.stop();
        node.terminated().toCompletableFuture().join();
    }
}
