package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is at each path of the API, over the wire: docs/api.md. */
@SuppressWarnings("StringConcatToTextBlock") // text blocks have no CRLF
class ApiPathsTest {
    private static TestRouter router;
    private static TestEngine engine;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(
                Map.of("kvrouter.model-aliases.gpt", "org/m-1", "kvrouter.api-server.max-body-size", "1m"));
        engine = new TestEngine("org/m-1", ",\"max_model_len\":4096,\"root\":\"/models/m-1\"");
        router.register(engine.url(), "");
    }

    @AfterAll
    static void stop() throws Exception {
        router.close();
        engine.close();
    }

    @AfterEach
    void nothingIsInFlight() throws Exception {
        engine.follow(TestEngine.OK);
        eventually("no load", () -> router.requests() == 0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/chat/completions | \"messages\":[]",
                "/v1/completions | \"prompt\":\"a\"",
                "/v1/responses | \"input\":\"a\"",
                "/v1/messages | \"messages\":[]",
                "/v1/embeddings | \"input\":[\"a\"]",
                "/v1/rerank | \"query\":\"a\",\"documents\":[\"b\"]",
                "/v1/score | \"text_1\":\"a\",\"text_2\":\"b\"",
                "/v1/messages/count_tokens | \"messages\":[]",
                "/tokenize | \"prompt\":\"a\"",
                "/detokenize | \"tokens\":[1]",
                "/v1/pooling | \"input\":\"a\"",
            })
    void aWorkerAnswersAndGetsTheBytes(String path, String field) throws Exception {
        String body = "{\"model\" : \"org/m-1\", " + field + " ,\"ü\":1.0}";

        var answer = post(path, body);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"ok\":true}");
        assertThat(answer.headers().firstValue("x-router-worker")).isPresent();
        assertThat(engine.request().head()).startsWith("POST " + path + " HTTP/1.1\r\n");
        assertThat(engine.request().text()).isEqualTo(body);
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/chat/completions, messages",
        "/v1/completions, prompt",
        "/v1/responses, input",
        "/v1/messages, messages"
    })
    void aSessionsTurnsArePinnedOnAllPathsThatGenerate(String path, String field) throws Exception {
        String body = "{\"model\":\"org/m-1\",\"" + field + "\":[],\"prompt_cache_key\":\"of " + path + "\"}";

        assertThat(decision(post(path, body))).isEqualTo("selected");
        assertThat(decision(post(path, body))).isEqualTo("pinned");
    }

    @Test
    void whatGeneratesNothingIsNotPinned() throws Exception {
        String body = "{\"model\":\"org/m-1\",\"input\":\"a\",\"session_id\":\"embedded\"}";

        assertThat(decision(post("/v1/embeddings", body))).isEqualTo("selected");
        assertThat(decision(post("/v1/embeddings", body))).isEqualTo("selected");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE", "POST", "PUT", "PATCH"})
    void otherPathsUnderV1PassWithTheirMethodAndQuery(String method) throws Exception {
        assertThat(router.api(method, "/v1/files/a%20b%2Fc//?x=%2F", "").statusCode())
                .isEqualTo(200);

        assertThat(engine.request().head()).startsWith(method + " /v1/files/a%20b%2Fc//?x=%2F HTTP/1.1\r\n");
    }

    @Test
    void headPassesWithoutABody() throws Exception {
        engine.follow((peer, request) -> peer.send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n"));

        try (Peer client = Peer.connect(router.apiPort())) {
            client.send("HEAD /v1/files HTTP/1.1\r\nHost: r\r\n\r\n");
            assertThat(client.readHead()).startsWith("HTTP/1.1 200").containsIgnoringCase("content-length: 7");
            client.send("HEAD /v1/models HTTP/1.1\r\nHost: r\r\n\r\n");
            assertThat(client.readHead()).startsWith("HTTP/1.1 200");
        }

        assertThat(engine.request().head()).startsWith("HEAD /v1/files HTTP/1.1\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/completions/", "/v1/completions/?x=1"})
    void aSlashAtTheEndMeansNothing(String path) throws Exception {
        assertThat(post(path, "{\"model\":\"org/m-1\",\"prompt\":\"a\"}").statusCode())
                .isEqualTo(200);

        assertThat(engine.request().head()).startsWith("POST " + path.replace("s/", "s") + " HTTP/1.1\r\n");
        assertThat(router.api("GET", "/health/", "").statusCode()).isEqualTo(200);
    }

    @Test
    void anAliasIsSplicedAndTheAnswerPassesAsTheWorkerGaveIt() throws Exception {
        engine.follow(TestEngine.answering("200 OK", "", "{\"model\":\"org/m-1\"}"));

        var answer = post("/v1/completions", "{\"prompt\":\"gpt\", \"model\": \"gpt\" ,\"n\":1.00}");

        assertThat(engine.request().text()).isEqualTo("{\"prompt\":\"gpt\", \"model\": \"org/m-1\" ,\"n\":1.00}");
        assertThat(answer.body()).isEqualTo("{\"model\":\"org/m-1\"}");
    }

    @Test
    void aCompressedBodyIsReadAndPassesAsItCame() throws Exception {
        byte[] body = gzip("{\"model\":\"org/m-1\",\"prompt\":\"a\",\"session_id\":\"zipped\"}");

        assertThat(zipped(body)).startsWith("HTTP/1.1 200").contains("x-router-decision: selected");

        assertThat(engine.request().body()).isEqualTo(ByteString.fromArray(body));
        assertThat(lines()).contains("content-encoding: gzip");
        assertThat(zipped(body)).contains("x-router-decision: pinned");
    }

    @Test
    void aCompressedBodyThatAsksForAnAliasGoesWithoutCompression() throws Exception {
        assertThat(zipped(gzip("{\"model\":\"gpt\",\"prompt\":\"a\"}"))).startsWith("HTTP/1.1 200");

        assertThat(engine.request().text()).isEqualTo("{\"model\":\"org/m-1\",\"prompt\":\"a\"}");
        assertThat(lines()).noneMatch(line -> line.startsWith("content-encoding"));
    }

    @Test
    void aSmallBodyThatUnpacksToAHugeOneIsRefused() throws Exception {
        byte[] bomb = gzip("{\"model\":\"org/m-1\",\"prompt\":\"" + "a".repeat(2 << 20) + "\"}");

        assertThat(bomb).hasSizeLessThan(10_000);
        assertThat(zipped(bomb)).startsWith("HTTP/1.1 413").contains("x-router-reason: body_too_large");
    }

    @Test
    void whatIsNoGzipIsRefused() throws Exception {
        assertThat(zipped("{\"model\":\"org/m-1\"}".getBytes(StandardCharsets.UTF_8)))
                .startsWith("HTTP/1.1 400");
        assertThat(router.complete("{}", "Content-Encoding", "br").statusCode()).isEqualTo(415);
    }

    @Test
    void errorsOfTheMessagesApiHaveAnthropicsShape() throws Exception {
        var answers = List.of(
                post("/v1/messages", "{}"),
                post("/v1/messages", "{\"model\":\"none\",\"messages\":[]}"),
                router.api("POST", "/v1/messages", "x"),
                router.api("GET", "/v1/messages/count_tokens", ""));

        assertThat(answers).extracting(HttpResponse::statusCode).containsExactly(400, 503, 415, 405);
        for (var answer : answers) {
            assertThat(answer.headers().firstValue("x-router-reason")).isPresent();
            var json = TestRouter.json(answer);
            assertThat(json.path("type").asText()).isEqualTo("error");
            assertThat(json.at("/error/type").asText()).endsWith("_error");
            assertThat(json.at("/error/message").isTextual()).isTrue();
        }
    }

    @Test
    void aStreamOfMessagesThatBreaksOffEndsWithAnthropicsErrorEvent() throws Exception {
        engine.follow((peer, request) -> {
            peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "9\r\ndata: 1\n\n\r\n");
            peer.reset();
        });
        String body = "{\"model\":\"org/m-1\",\"messages\":[]}";

        try (Peer client = Peer.connect(router.apiPort())) {
            client.send("POST /v1/messages HTTP/1.1\r\nHost: r\r\nContent-Type: application/json\r\nContent-Length: "
                    + body.length() + "\r\n\r\n" + body);
            assertThat(client.readUntil("broke off.\"}}\n\n"))
                    .contains("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",");
            assertThat(client.endsByReset()).isTrue();
        }
    }

    @Test
    void theRouterTellsItsVersionAndASingleModel() throws Exception {
        assertThat(router.fetched("/version").path("version").asText()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(router.fetched("/v1/models/org%2Fm-1").path("id").asText()).isEqualTo("org/m-1");
        assertThat(router.fetched("/v1/models/org/m-1").path("id").asText()).isEqualTo("org/m-1");
        assertThat(router.fetched("/v1/models/gpt").path("id").asText()).isEqualTo("gpt");
    }

    @Test
    void theListOfModelsKeepsWhatTheEngineTells() throws Exception {
        var answer = router.api("GET", "/v1/models?x=1", "");

        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        var model = TestRouter.json(answer).at("/data/1");
        assertThat(model.path("id").asText()).isEqualTo("org/m-1");
        assertThat(model.path("max_model_len").asInt()).isEqualTo(4096);
        assertThat(model.path("root").asText()).isEqualTo("/models/m-1");
    }

    private static HttpResponse<String> post(String path, String body) throws Exception {
        return router.api("POST", path, body, "Content-Type", "application/json");
    }

    private static String decision(HttpResponse<String> answer) {
        return answer.headers().firstValue("x-router-decision").orElseThrow();
    }

    private static List<String> lines() {
        return engine.request().head().toLowerCase(Locale.ROOT).lines().toList();
    }

    private static byte[] gzip(String text) throws Exception {
        var zipped = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(zipped)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return zipped.toByteArray();
    }

    private static String zipped(byte[] body) throws Exception {
        try (Peer client = Peer.connect(router.apiPort())) {
            client.send("POST /v1/completions HTTP/1.1\r\nHost: r\r\nContent-Type: application/json\r\n"
                            + "Content-Encoding: gzip\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .send(body);
            return client.readHead();
        }
    }
}
