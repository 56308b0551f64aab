package io.kvrouter.http.tokens.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An engine that has nothing but endpoints for tokens. */
public final class FakeEngine implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();

    /** What an endpoint answers. */
    @FunctionalInterface
    public interface Endpoint {
        String answer(JsonNode request);
    }

    public FakeEngine() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.start();
    }

    /** With an endpoint; an answer that is a number is a status. */
    public FakeEngine with(String path, Endpoint endpoint) {
        server.createContext(path, exchange -> serve(exchange, endpoint));
        return this;
    }

    private void serve(HttpExchange exchange, Endpoint endpoint) throws IOException {
        JsonNode request = JSON.readTree(exchange.getRequestBody());
        requests.add(request);
        String answer = endpoint.answer(request);
        boolean status = answer.matches("\\d+");
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status ? Integer.parseInt(answer) : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** What it was asked. */
    public List<JsonNode> requests() {
        return requests;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
