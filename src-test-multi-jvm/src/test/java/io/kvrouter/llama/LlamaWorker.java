package io.kvrouter.llama;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kvrouter.llama.EngineLog.Figures;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/** A worker with a real engine: as much of the OpenAI API as a router and its test need. Ends with its standard input. */
public final class LlamaWorker {
    static final String MODEL = "tiny";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int DEFAULT_TOKENS = 16;

    private final LlamaEngine engine;

    private LlamaWorker(LlamaEngine engine) {
        this.engine = engine;
    }

    /** Prints its port when it is ready. Arguments: the model, and the file that has this process's standard error. */
    public static void main(String[] arguments) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (var threads = Executors.newCachedThreadPool();
                var engine = new LlamaEngine(Path.of(arguments[0]), Path.of(arguments[1]))) {
            var worker = new LlamaWorker(engine);
            server.setExecutor(threads);
            server.createContext("/health", exchange -> answer(exchange, JSON.createObjectNode()));
            server.createContext("/v1/models", exchange -> answer(exchange, models()));
            server.createContext("/v1/chat/completions", worker::complete);
            server.start();
            System.out.println("ready " + server.getAddress().getPort());
            System.in.transferTo(OutputStream.nullOutputStream());
            server.stop(0);
        }
        System.exit(0); // the binding leaves a thread behind that is no daemon
    }

    private static JsonNode models() {
        ObjectNode body = JSON.createObjectNode().put("object", "list");
        body.putArray("data")
                .addObject()
                .put("id", MODEL)
                .put("object", "model")
                .put("max_model_len", LlamaEngine.CONTEXT);
        return body;
    }

    private void complete(HttpExchange exchange) throws IOException {
        JsonNode request = JSON.readTree(exchange.getRequestBody());
        int tokens = request.path("max_tokens").asInt(DEFAULT_TOKENS);
        String prompt = prompt(request.path("messages"));
        if (request.path("stream").asBoolean()) {
            stream(exchange, prompt, tokens);
            return;
        }
        var text = new StringBuilder();
        Figures figures = engine.answer(prompt, tokens, text::append);
        ObjectNode body = head("chat.completion");
        ObjectNode choice = body.putArray("choices").addObject().put("index", 0).put("finish_reason", "length");
        choice.putObject("message").put("role", "assistant").put("content", text.toString());
        answer(exchange, usage(body, figures));
    }

    private void stream(HttpExchange exchange, String prompt, int tokens) throws IOException {
        exchange.getResponseHeaders().set("content-type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            Figures figures = engine.answer(prompt, tokens, piece -> {
                ObjectNode chunk = head("chat.completion.chunk");
                ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
                choice.putObject("delta").put("content", piece);
                event(out, chunk.toString());
            });
            ObjectNode last = head("chat.completion.chunk");
            last.putArray("choices");
            event(out, usage(last, figures).toString());
            event(out, "[DONE]");
        }
    }

    /** The roles and what they said, then the role that is to answer. */
    private static String prompt(JsonNode messages) {
        var prompt = new StringBuilder();
        for (JsonNode message : messages) {
            prompt.append(message.path("role").asText())
                    .append(": ")
                    .append(message.path("content").asText())
                    .append('\n');
        }
        return prompt.append("assistant: ").toString();
    }

    private static ObjectNode head(String object) {
        return JSON.createObjectNode().put("id", "1").put("object", object).put("model", MODEL);
    }

    /** OpenAI's fields, and what llama.cpp's own server calls timings. */
    private static ObjectNode usage(ObjectNode body, Figures figures) {
        ObjectNode usage = body.putObject("usage")
                .put("prompt_tokens", figures.promptTokens())
                .put("completion_tokens", figures.answerTokens())
                .put("total_tokens", figures.promptTokens() + figures.answerTokens());
        usage.putObject("prompt_tokens_details").put("cached_tokens", figures.cachedTokens());
        body.putObject("timings").put("prompt_n", figures.processedTokens()).put("prompt_ms", figures.prefillMs());
        return body;
    }

    private static void answer(HttpExchange exchange, JsonNode body) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(body);
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private static void event(OutputStream out, String data) {
        try {
            out.write(("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
