package io.kvrouter.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An engine that does what the last message of a chat orders: refuse, be busy the first time, break off, or stream without
 * end. It calls the tool that it is offered. So a test sees what a client makes of it.
 */
final class ScriptedEngine implements AutoCloseable {
    static final String MODEL = "scripted";
    static final String TEXT = "one two three";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HEAD = "{\"id\":\"c1\",\"created\":1,\"model\":\"" + MODEL + "\"}";
    private static final String USAGE = "{\"prompt_tokens\":7,\"completion_tokens\":3,\"total_tokens\":10}";
    private static final String CALL = "{\"id\":\"call1\",\"type\":\"function\",\"function\":{\"name\":\"weather\","
            + "\"arguments\":\"{\\\"city\\\":\\\"Oslo\\\"}\"}}";
    private static final String SAYS = "{\"role\":\"assistant\",\"content\":\"" + TEXT + "\"}";
    private static final String CALLS = "{\"role\":\"assistant\",\"tool_calls\":[" + CALL + "]}";

    private final Map<String, Integer> seen = new ConcurrentHashMap<>();
    private final Set<String> left = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    ScriptedEngine() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Requests that gave this order. */
    int seen(String order) {
        return seen.getOrDefault(order, 0);
    }

    /** Whether a stream with this order was left by its client. */
    boolean left(String order) {
        return left.contains(order);
    }

    private void serve(HttpExchange exchange) throws IOException {
        switch (exchange.getRequestURI().getPath()) {
            case "/health" -> answer(exchange, 200, "{}");
            case "/v1/models" ->
                answer(
                        exchange,
                        200,
                        "{\"data\":[{\"id\":\"" + MODEL + "\",\"object\":\"model\",\"max_model_len\":64}]}");
            case "/v1/chat/completions" ->
                chat(exchange, JSON.readTree(exchange.getRequestBody().readAllBytes()));
            default -> answer(exchange, 404, "{}");
        }
        exchange.close();
    }

    private void chat(HttpExchange exchange, JsonNode body) throws IOException {
        JsonNode last = body.path("messages").path(body.path("messages").size() - 1);
        String order = last.path("content").asText();
        int times = seen.merge(order, 1, Integer::sum);
        if (order.startsWith("refuse")) {
            answer(
                    exchange,
                    400,
                    "{\"error\":{\"message\":\"as the engine says\",\"type\":\"t\",\"param\":\"seed\",\"code\":\"odd\"}}");
        } else if (order.startsWith("busy") && times == 1) {
            exchange.getResponseHeaders().set("Retry-After", "1");
            answer(exchange, 429, "{\"error\":{\"message\":\"busy\"}}");
        } else {
            boolean calls = last.path("role").asText().equals("user") && body.has("tools");
            if (body.path("stream").asBoolean()) {
                stream(exchange, body, order, calls);
            } else {
                ObjectNode whole = choice("message", calls ? CALLS : SAYS, calls ? "tool_calls" : "stop");
                answer(
                        exchange,
                        200,
                        whole.put("object", "chat.completion")
                                .set("usage", JSON.readTree(USAGE))
                                .toString());
            }
        }
    }

    private void stream(HttpExchange exchange, JsonNode body, String order, boolean calls) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        event(exchange, choice("delta", "{\"role\":\"assistant\",\"content\":\"one \"}", ""));
        if (order.startsWith("endless")) {
            goOn(exchange, order);
        } else if (!order.startsWith("break")) {
            String rest = calls ? CALLS.replace("\"id\":", "\"index\":0,\"id\":") : "{\"content\":\"two three\"}";
            event(exchange, choice("delta", rest, ""));
            event(exchange, choice("delta", "{}", calls ? "tool_calls" : "stop"));
            if (body.at("/stream_options/include_usage").asBoolean()) {
                ObjectNode usage = (ObjectNode) JSON.readTree(HEAD);
                usage.put("object", "chat.completion.chunk").putArray("choices");
                event(exchange, usage.set("usage", JSON.readTree(USAGE)));
            }
            write(exchange, "data: [DONE]\n\n");
        } else {
            throw new IOException("the script says so"); // which closes the connection and not the body
        }
    }

    private void goOn(HttpExchange exchange, String order) {
        try {
            while (true) {
                event(exchange, choice("delta", "{\"content\":\"word \"}", ""));
                Thread.sleep(10);
            }
        } catch (IOException e) {
            left.add(order);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ObjectNode choice(String name, String message, String reason) throws IOException {
        ObjectNode chunk = (ObjectNode) JSON.readTree(HEAD);
        ObjectNode choice =
                chunk.put("object", "chat.completion.chunk").putArray("choices").addObject();
        choice.put("index", 0).set(name, JSON.readTree(message));
        choice.put("finish_reason", reason.isEmpty() ? null : reason);
        return chunk;
    }

    private static void event(HttpExchange exchange, JsonNode data) throws IOException {
        write(exchange, "data: " + data + "\n\n");
    }

    private static void write(HttpExchange exchange, String text) throws IOException {
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
