package io.kvrouter.multijvm;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A chat request, to be sent through any node.
 *
 * @param tokens length of the answer
 * @param headers beside the content type
 */
record Chat(String model, String content, int tokens, boolean stream, Map<String, String> headers) {
    static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Eventually.PATIENCE)
            .build();
    /** A stream of so many tokens lasts until its client leaves: ten minutes, one token a step of 5.7 ms. */
    static final int ENDLESS = 100_000;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DONE = "data: [DONE]";

    /** A short request without a session. */
    static Chat of(String content) {
        return new Chat("sim-model", content, 2, false, Map.of());
    }

    /** A short turn of a session. */
    static Chat ofSession(String id) {
        return of("Hello from " + id).with("x-session-id", id);
    }

    Chat with(String header, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(header, value);
        return new Chat(model, content, tokens, stream, more);
    }

    /** For a routing group of a test's own. */
    Chat in(String group) {
        return with("x-router-group", group);
    }

    /** To this worker, whatever it costs. */
    Chat to(String worker) {
        return with("x-router-worker", worker);
    }

    Chat ofModel(String other) {
        return new Chat(other, content, tokens, stream, headers);
    }

    Chat streaming(int length) {
        return new Chat(model, content, length, true, headers);
    }

    /** With another prompt, of about so many tokens and like no other from its first one on. */
    Chat saying(String word, int length) {
        return new Chat(model, (word + " ").repeat(length * 4 / (word.length() + 1)), tokens, stream, headers);
    }

    /** Its session's id. */
    String session() {
        return headers.getOrDefault("x-session-id", "");
    }

    String group() {
        return headers.getOrDefault("x-router-group", "default");
    }

    /** Where an answer came from, and why; its whole body. */
    record Answer(int status, String worker, String decision, String body) {}

    /** Sends it and waits for the whole answer. */
    Answer through(NodeProcess node) throws IOException, InterruptedException {
        var response = CLIENT.send(request(node), BodyHandlers.ofString());
        return answer(response, response.body());
    }

    /** Sends it and waits for the head of the answer. */
    Open open(NodeProcess node) throws IOException, InterruptedException {
        var response = CLIENT.send(request(node), BodyHandlers.ofInputStream());
        return new Open(answer(response, ""), response.body());
    }

    private static Answer answer(HttpResponse<?> response, String body) {
        return new Answer(
                response.statusCode(),
                response.headers().firstValue("x-router-worker").orElse(""),
                response.headers().firstValue("x-router-decision").orElse(""),
                body);
    }

    private HttpRequest request(NodeProcess node) throws IOException {
        var request = HttpRequest.newBuilder(node.api().resolve("/v1/chat/completions"))
                .header("content-type", "application/json")
                .timeout(Duration.ofMinutes(5))
                .POST(HttpRequest.BodyPublishers.ofString(body()));
        headers.forEach(request::header);
        return request.build();
    }

    String body() throws IOException {
        return JSON.writeValueAsString(Map.of(
                "model",
                model,
                "messages",
                List.of(Map.of("role", "user", "content", content)),
                "max_tokens",
                tokens,
                "stream",
                stream));
    }

    /** The whole request, for a client that writes to a socket. */
    String http() throws IOException {
        String body = body();
        var text = new StringBuilder("POST /v1/chat/completions HTTP/1.1\r\nhost: router\r\n");
        text.append("content-type: application/json\r\ncontent-length: ")
                .append(body.getBytes(StandardCharsets.UTF_8).length)
                .append("\r\n");
        headers.forEach((name, value) -> text.append(name + ": " + value + "\r\n"));
        return text.append("\r\n").append(body).toString();
    }

    /** An answer that still comes. To close it is to leave. */
    record Open(Answer head, InputStream body) implements AutoCloseable {
        /** Reads to the end; whether that was the end of a whole stream. */
        boolean finishes() throws IOException {
            var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
            boolean done = false;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                done |= line.equals(DONE);
            }
            return done;
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }
}
