package io.kvrouter.http.tokens.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.access.WorkerCredentials;
import io.kvrouter.http.engine.EngineClient;
import io.kvrouter.http.tokens.TokenizedPrompt;
import io.kvrouter.http.tokens.engine.EngineTokenizeException.Kind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * Asks an engine for a request's tokens, at its own {@code POST /tokenize}.
 *
 * <p>Three dialects, told apart by what comes back: vLLM takes the fields of a chat as they are; SGLang takes texts
 * only; llama.cpp takes {@code content}, and renders a chat at {@code /apply-template} first. Whatever goes wrong is an
 * {@link EngineTokenizeException}, and nothing of a prompt is in it.
 */
public final class EngineTokenizer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int CLIENT_ERROR = 400;
    private static final int SERVER_ERROR = 500;
    private static final int NOT_IMPLEMENTED = 501;
    private static final List<Integer> NO_ENDPOINT = List.of(404, 405, NOT_IMPLEMENTED);

    /** What of a request changes its tokens. */
    private static final List<String> FIELDS = List.of(
            "model",
            "messages",
            "prompt",
            "tools",
            "add_generation_prompt",
            "continue_final_message",
            "add_special_tokens",
            "chat_template",
            "chat_template_kwargs",
            "documents",
            "reasoning_effort",
            "mm_processor_kwargs");

    private final HttpClient client;
    private final Duration timeout;
    private final WorkerCredentials credentials;

    /**
     * One for all engines.
     *
     * @param timeout for one request, its answer included
     * @param tls by which engines are spoken to where their URL says https
     * @param credentials what they are shown
     */
    public EngineTokenizer(Duration timeout, SSLContext tls, WorkerCredentials credentials) {
        this.client = EngineClient.create(timeout, tls);
        this.timeout = timeout;
        this.credentials = credentials;
    }

    /**
     * The tokens of a chat, or of a prompt that is one text.
     *
     * <p>Where a chat has parts that are no text (images, say), no token of it is certainly the engine's: what the
     * endpoint makes of such a part is not what the engine computes.
     *
     * @param engine its base URL
     */
    public CompletionStage<TokenizedPrompt> tokens(URI engine, JsonNode body) {
        ObjectNode request = JSON.createObjectNode();
        FIELDS.stream().filter(body::has).forEach(field -> request.set(field, body.get(field)));
        boolean chat = request.has("messages");
        return post(engine, "/tokenize", request)
                .thenCompose(answer -> answer.counted()
                        ? CompletableFuture.completedFuture(answer.tokens())
                        : chat ? ofTemplate(engine, request) : ofContent(engine, request.path("prompt"), request))
                .thenApply(tokens -> new TokenizedPrompt(tokens, onlyText(body) ? tokens.length : 0));
    }

    /** llama.cpp puts the beginning before a rendered chat too, unless it is there. */
    private CompletableFuture<int[]> ofTemplate(URI engine, ObjectNode request) {
        return send(engine, "/apply-template", request)
                .thenApply(EngineTokenizer::object)
                .thenCompose(rendered -> ofContent(engine, rendered.path("prompt"), JSON.createObjectNode()));
    }

    private CompletableFuture<int[]> ofContent(URI engine, JsonNode text, ObjectNode request) {
        if (!text.isTextual()) {
            return CompletableFuture.failedFuture(
                    new EngineTokenizeException(Kind.NOT_OFFERED, "/tokenize: not for such requests"));
        }
        boolean special = request.path("add_special_tokens").asBoolean(true);
        ObjectNode content = JSON.createObjectNode();
        content.set("content", text);
        return post(engine, "/tokenize", content.put("add_special", special).put("parse_special", true))
                .thenApply(EngineAnswer::tokens);
    }

    private CompletableFuture<EngineAnswer> post(URI engine, String path, ObjectNode request) {
        return send(engine, path, request).thenApply(body -> {
            try {
                return EngineAnswer.read(body);
            } catch (IOException e) {
                throw unreadable(path);
            }
        });
    }

    private static JsonNode object(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw unreadable("/apply-template");
        }
    }

    /** Without the parser's message: it quotes what was read. */
    private static CompletionException unreadable(String path) {
        return new CompletionException(
                new EngineTokenizeException(Kind.FAILED, path + ": an answer that can't be read"));
    }

    private CompletableFuture<byte[]> send(URI engine, String path, ObjectNode request) {
        HttpRequest post;
        try {
            post = credentials
                    .sign(HttpRequest.newBuilder(URI.create(engine + path)), engine)
                    .timeout(timeout)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(request)))
                    .build();
        } catch (IllegalArgumentException | JsonProcessingException e) {
            return CompletableFuture.failedFuture(
                    new EngineTokenizeException(Kind.FAILED, path + ": can't be asked at this URL"));
        }
        var sent = client.sendAsync(post, BodyHandlers.ofByteArray());
        // The request's own time-out ends with the head.
        return sent.copy().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).handle((response, failure) -> {
            if (failure != null) {
                sent.cancel(true);
                throw new CompletionException(
                        new EngineTokenizeException(Kind.FAILED, path + ": no answer in " + timeout));
            }
            return successful(path, response);
        });
    }

    private static byte[] successful(String path, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        if (status == OK) {
            return response.body();
        }
        boolean missing = NO_ENDPOINT.contains(status);
        Kind kind = missing
                ? Kind.NOT_OFFERED
                : status >= CLIENT_ERROR && status < SERVER_ERROR ? Kind.REFUSED : Kind.FAILED;
        throw new CompletionException(new EngineTokenizeException(kind, path + ": status " + status));
    }

    private static boolean onlyText(JsonNode body) {
        for (JsonNode message : body.path("messages")) {
            for (JsonNode part : message.path("content")) {
                if (!part.path("type").asText("text").equals("text")) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
