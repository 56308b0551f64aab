package io.kvrouter.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** The simulated worker's own log of completion requests: what was really asked of it. */
final class WorkerLog implements AutoCloseable {
    /** Requests that the log holds; a round must not be larger. */
    static final int BOUND = 10_000;

    private static final int OK = 200;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ObjectMapper json = new ObjectMapper();
    private final URI requests;

    WorkerLog(URI worker) {
        requests = worker.resolve("/sim/requests");
    }

    void clear() {
        send(HttpRequest.newBuilder(requests).DELETE().build());
    }

    /** Requests since the log was cleared that the worker answered whole, as it saw it. */
    Counts counts() {
        int finished = 0;
        int all = 0;
        for (JsonNode request : read()) {
            all++;
            if (request.path("outcome").asText("").equals("finished")) {
                finished++;
            }
        }
        return new Counts(all, finished);
    }

    /** Requests that came in, and those of them that were answered whole. */
    record Counts(int received, int finished) {}

    private JsonNode read() {
        try {
            return json.readTree(send(HttpRequest.newBuilder(requests).build()));
        } catch (IOException e) {
            throw new IllegalStateException("the worker's request log can't be read", e);
        }
    }

    private String send(HttpRequest request) {
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() != OK) {
                throw new IllegalStateException("the worker's request log answers " + response.statusCode());
            }
            return response.body();
        } catch (IOException e) {
            throw new IllegalStateException("the worker's request log can't be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
