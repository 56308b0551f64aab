package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.http.settings.ConfigSources;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One node on free ports, with a client for its two APIs. */
final class TestRouter implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TYPE = "Content-Type";

    private final RouterNode node;
    private final HttpClient client = HttpClient.newHttpClient();
    private final int apiPort;

    private TestRouter(RouterNode node) throws Exception {
        this.node = node;
        this.apiPort = node.apiPort().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    static TestRouter start(Map<String, String> settings) throws Exception {
        Map<String, String> flags = new HashMap<>(Map.of(
                "kvrouter.api-port", "0",
                "kvrouter.management-port", "0",
                "kvrouter.remoting-port", "0",
                "kvrouter.health-check-interval", "100ms",
                "kvrouter.shutdown.grace", "0s",
                "pekko.loglevel", "WARNING",
                "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook", "off"));
        flags.putAll(settings);
        var config = ConfigSources.load(flags, Map.of(), Optional.empty());
        return new TestRouter(RouterNode.start(config).toCompletableFuture().get(60, TimeUnit.SECONDS));
    }

    /** As other nodes join it. */
    String joinAddress() {
        return node.joinAddress();
    }

    /** A call of the selection API; answers its JSON. */
    JsonNode call(String path, String body) {
        return unchecked(() -> api("POST", path, body, "Content-Type", "application/json"));
    }

    /** What the API port answers to a GET. */
    JsonNode fetched(String path) {
        return unchecked(() -> api("GET", path, ""));
    }

    int managementPort() {
        return node.managementPort();
    }

    int apiPort() {
        return apiPort;
    }

    HttpResponse<String> api(String method, String path, String body, String... headers) throws Exception {
        return send(apiPort, method, path, body, headers);
    }

    /** A completion request with a JSON body. */
    HttpResponse<String> complete(String body, String... headers) throws Exception {
        return api("POST", "/v1/completions", body, ofJson(headers));
    }

    /** The same, its length not stated. */
    HttpResponse<String> completeChunked(String body) throws Exception {
        var bytes = new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + apiPort + "/v1/completions"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofInputStream(() -> bytes))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    /** Of type JSON, if the headers do not say another. */
    HttpResponse<String> management(String method, String path, String body, String... headers) throws Exception {
        boolean typed = Arrays.asList(headers).contains(TYPE);
        return send(node.managementPort(), method, path, body, typed ? headers : ofJson(headers));
    }

    private static String[] ofJson(String... headers) {
        return Stream.concat(Stream.of(TYPE, "application/json"), Stream.of(headers))
                .toArray(String[]::new);
    }

    JsonNode managed(String path) {
        return unchecked(() -> management("GET", path, ""));
    }

    /** For conditions that are polled. */
    private static JsonNode unchecked(Callable<HttpResponse<String>> request) {
        try {
            return json(request.call());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static JsonNode json(HttpResponse<String> response) throws IOException {
        return JSON.readTree(response.body());
    }

    private HttpResponse<String> send(int port, String method, String path, String body, String... headers)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** Registers a worker and waits until it is up; answers its id. */
    String register(URI url, String more) throws Exception {
        var answer = management("POST", "/workers", "{\"url\":\"" + url + "\"" + more + "}");
        String id = json(answer).path("id").asText();
        eventually("up", () -> managed("/workers/" + id).path("state").asText().equals("up"));
        return id;
    }

    void remove(String id) throws Exception {
        management("DELETE", "/workers/" + id, "");
        eventually("gone", () -> managed("/workers/" + id).has("error"));
    }

    /** Requests in flight at this node. */
    int requests() {
        int sum = 0;
        for (JsonNode ranks : managed("/router/load").path("own")) {
            for (JsonNode load : ranks) {
                sum += load.path("requests").asInt();
            }
        }
        return sum;
    }

    @Override
    public void close() {
        client.shutdownNow();
        leave();
    }

    /** Leaves the cluster, and is gone. */
    void leave() {
        node.stop();
        node.terminated().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
