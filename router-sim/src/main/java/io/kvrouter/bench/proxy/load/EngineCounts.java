package io.kvrouter.bench.proxy.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.bench.proxy.peer.Counts;
import io.kvrouter.bench.proxy.peer.MockEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** What the engine says that it has seen. */
public final class EngineCounts implements AutoCloseable {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ObjectMapper json = new ObjectMapper();
    private final HttpRequest request;

    /** Of the engine with this base URL. */
    public EngineCounts(URI engine) {
        request = HttpRequest.newBuilder(engine.resolve(MockEngine.COUNTS)).build();
    }

    /** Since it started. */
    public Counts now() {
        try {
            return json.readValue(http.send(request, BodyHandlers.ofByteArray()).body(), Counts.class);
        } catch (IOException e) {
            throw new UncheckedIOException("the engine does not tell what it has seen", e);
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
