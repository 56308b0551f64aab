package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.http.testing.Peer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The access log of a node, as an operator reads it. */
class AccessLogNodeTest {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"secret-prompt\",\"session_id\":\"secret-id\"}";
    private static final String EVENTS =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\na\r\ndata: one\n\r\n";

    @TempDir
    private static Path directory;

    private static TestRouter router;
    private static TestEngine engine;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of("kvrouter.access-log.file", log().toString()));
        engine = new TestEngine("m");
        router.register(engine.url(), ",\"id\":\"w\"");
    }

    @AfterAll
    static void stop() {
        router.close();
        engine.close();
    }

    private static Path log() {
        return directory.resolve("access.log");
    }

    private static List<String> lines(String id) {
        try {
            return Files.readAllLines(log()).stream()
                    .filter(line -> line.contains("\"id\":\"" + id + "\""))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one line of a request. */
    private static JsonNode line(String id) throws Exception {
        eventually("logged", () -> !lines(id).isEmpty());
        assertThat(lines(id)).hasSize(1);
        return new ObjectMapper().readTree(lines(id).getFirst());
    }

    private static String head(String id) {
        return "POST /v1/completions?secret=query HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nx-request-id: "
                + id + "\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY;
    }

    @Test
    void anAnswerIsALine() throws Exception {
        String answer = "{\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":5,"
                + "\"prompt_tokens_details\":{\"cached_tokens\":8}}}";
        engine.follow(TestEngine.answering("200 OK", "Content-Type: application/json\r\n", answer));

        router.complete(BODY, "x-request-id", "done");

        JsonNode line = line("done");
        assertThat(line.path("path").asText()).isEqualTo("/v1/completions");
        assertThat(line.path("model").asText()).isEqualTo("m");
        assertThat(line.path("worker").asText()).isEqualTo("w");
        assertThat(line.path("decision").asText()).isIn("selected", "pinned");
        assertThat(line.path("node").asText()).endsWith(router.joinAddress());
        assertThat(line.path("tokens_in").asInt()).isEqualTo(12);
        assertThat(line.path("tokens_cached").asInt()).isEqualTo(8);
        assertThat(line.path("tokens_out").asInt()).isEqualTo(5);
        assertThat(line.path("status").asInt()).isEqualTo(200);
        assertThat(line.path("bytes").asInt()).isEqualTo(answer.length());
        assertThat(line.path("outcome").asText()).isEqualTo("done");
        assertThat(line.path("resolve_ms").asDouble()).isPositive();
        assertThat(line.path("total_ms").asDouble())
                .isGreaterThanOrEqualTo(line.path("first_byte_ms").asDouble());
    }

    @Test
    void aClientThatLeavesBeforeItsAnswerIsALine() throws Exception {
        engine.follow((peer, request) -> {
            peer.awaitClosed();
            throw new IOException("gone");
        });
        int before = engine.requests().size();
        try (Peer client = Peer.connect(router.apiPort())) {
            client.send(head("left"));
            eventually("at the worker", () -> engine.requests().size() > before);
        }

        JsonNode line = line("left");
        assertThat(line.path("outcome").asText()).isEqualTo("client_gone");
        assertThat(line.path("model").asText()).isEqualTo("m");
        assertThat(line.path("status").isNull()).isTrue();
        assertThat(Files.readString(log())).doesNotContain("secret");
    }

    @Test
    void aStreamTellsHowItEnded() throws Exception {
        engine.follow((peer, request) -> {
            peer.send(EVENTS);
            peer.reset();
        });
        try (Peer client = Peer.connect(router.apiPort())) {
            client.send(head("broken")).awaitClosed();
        }
        engine.follow((peer, request) -> {
            peer.send(EVENTS);
            peer.awaitClosed();
        });
        try (Peer client = Peer.connect(router.apiPort())) {
            client.send(head("aborted")).readUntil("data: one");
        }

        assertThat(line("broken").path("outcome").asText()).isEqualTo("broken");
        assertThat(line("aborted").path("outcome").asText()).isEqualTo("client_gone");
        assertThat(line("aborted").path("status").asInt()).isEqualTo(200);
        assertThat(line("aborted").path("bytes").asInt()).isPositive();
    }

    @Test
    void aRefusalTellsWhy() throws Exception {
        router.complete(BODY.replace("\"m\"", "\"none\""), "x-request-id", "refused");

        assertThat(line("refused").path("status").asInt()).isEqualTo(503);
        assertThat(line("refused").path("reason").asText()).isEqualTo("model_not_served");
        assertThat(line("refused").path("model").asText()).isEqualTo("none");
        assertThat(router.management("GET", "/metrics", "").body()).contains("kvrouter_access_log_dropped_total 0.0");
    }
}
