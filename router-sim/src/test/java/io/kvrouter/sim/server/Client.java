package io.kvrouter.sim.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.Assertions;

/** A plain client of one worker: HTTP/1.1 for whole answers, a bare socket where the end of a connection matters. */
final class Client {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI base;

    Client(URI base) {
        this.base = base;
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET().build());
    }

    HttpResponse<String> delete(String path) {
        return send(request(path).DELETE().build());
    }

    HttpResponse<String> post(String path, String body, String... headers) {
        return send(postRequest(path, body, headers));
    }

    CompletableFuture<HttpResponse<String>> postAsync(String path, String body, String... headers) {
        return http.sendAsync(postRequest(path, body, headers), HttpResponse.BodyHandlers.ofString());
    }

    /** A connection on which this request was sent and nothing was read. */
    Socket open(String path, String body, String... headers) {
        try {
            var head = new StringBuilder("POST " + path + " HTTP/1.1\r\nhost: test\r\n");
            for (int i = 0; i < headers.length; i += 2) {
                head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            head.append("content-length: ").append(bytes.length).append("\r\n\r\n");
            var socket = new Socket(InetAddress.getLoopbackAddress(), base.getPort());
            socket.setSoTimeout((int) LIMIT.toMillis());
            socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(bytes);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode json(HttpResponse<String> response) {
        return json(response.body());
    }

    static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Polls until it holds; the limit only ends a test that would hang. */
    static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            Assertions.assertThat(System.nanoTime()).as("still not so").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private HttpRequest postRequest(String path, String body, String... headers) {
        HttpRequest.Builder builder = request(path).POST(HttpRequest.BodyPublishers.ofString(body));
        return headers.length == 0 ? builder.build() : builder.headers(headers).build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).timeout(LIMIT);
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
