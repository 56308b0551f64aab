package io.kvrouter.http.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node refuses, and what it answers by itself. */
class RefusalTest {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"a\"}";
    private static TestRouter router;
    private static TestEngine engine;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of("kvrouter.api-server.max-body-size", "9m"));
        engine = new TestEngine("m");
        router.register(engine.url(), "");
    }

    @AfterAll
    static void stop() throws Exception {
        router.close();
        engine.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /nothing, 404, unknown_path",
        "POST, /v2/chat, 404, unknown_path",
        "POST, /v1, 404, unknown_path",
        "POST, /v1/load_lora_adapter, 404, unknown_path",
        "POST, /v1/x/../../metrics, 404, unknown_path",
        "POST, /v1/x/%2e%2e/%2E%2e/metrics, 404, unknown_path",
        "GET, /v1/..%2F..%2Fmetrics, 404, unknown_path",
        "GET, /v1/%2e%2e%2f%2e.%5Cmetrics, 404, unknown_path",
        "POST, /v1/x%2F..%2Fload_lora_adapter, 404, unknown_path",
        "POST, /v1/load_lora_adapter//, 404, unknown_path",
        "OPTIONS, /v1/completions, 405, method_not_allowed",
        "TRACE, /v1/files, 405, method_not_allowed",
        "GET, /v1/models/other, 404, model_not_found",
        "GET, /v1/completions, 405, method_not_allowed",
        "POST, /v1/models, 405, method_not_allowed",
        "DELETE, /health, 405, method_not_allowed",
        "POST, /v1/chat/completions, 415, unsupported_media_type",
    })
    void whatIsNotThereIsAnErrorInOpenAisShape(String method, String path, int status, String reason) throws Exception {
        var answer = router.api(method, path, method.equals("POST") ? "x=1" : "");

        assertError(answer, status, reason);
        assertThat(answer.headers().firstValue("x-should-retry")).hasValue("false");
        assertThat(answer.headers().firstValue("x-request-id")).isPresent();
        assertThat(answer.headers().firstValue("allow").isPresent()).isEqualTo(status == 405);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "\"{}\"", "[]", "{\"prompt\":\"a\"}"})
    void aBodyThatIsNoRequestIsA400(String body) throws Exception {
        assertError(router.complete(body), 400, "bad_request");
    }

    @Test
    void aBodyThatIsTooLargeIsA413() throws Exception {
        assertError(
                router.complete("{\"model\":\"m\",\"prompt\":\"" + "x".repeat(10 << 20) + "\"}"),
                413,
                "body_too_large");
    }

    @Test
    void aChunkedBodyThatIsTooLargeIsA413() throws Exception {
        assertError(
                router.completeChunked("{\"model\":\"m\",\"prompt\":\"" + "x".repeat(10 << 20) + "\"}"),
                413,
                "body_too_large");
    }

    @Test
    void aBodyUpToTheLimitIsServed() throws Exception {
        String body = "{\"model\":\"m\",\"prompt\":\"" + "x".repeat(17 << 19) + "\"}";

        assertThat(router.complete(body).statusCode()).isEqualTo(200);
    }

    @Test
    void aModelThatNobodyServesIsA503ThatIsNotWorthARetry() throws Exception {
        var answer = router.complete("{\"model\":\"other\",\"prompt\":\"a\"}");

        assertError(answer, 503, "model_not_served");
        assertThat(answer.headers().firstValue("retry-after")).hasValue("1");
        assertThat(answer.headers().firstValue("x-should-retry")).hasValue("false");
    }

    @Test
    void modelsAreThoseOfTheWorkers() throws Exception {
        var answer = router.api("GET", "/v1/models", "");

        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(TestRouter.json(answer).at("/data/0/id").asText()).isEqualTo("m");
    }

    @Test
    void healthIsThatOfTheNode() throws Exception {
        assertThat(router.api("GET", "/health", "").statusCode()).isEqualTo(200);
        assertThat(router.api("HEAD", "/health", "").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {257, 4_000})
    void aSessionIdThatIsTooLongIsA400ThatDoesNotQuoteIt(int length) throws Exception {
        var answer = router.complete(BODY, "x-session-id", "s".repeat(length));

        assertError(answer, 400, "bad_request");
        assertThat(answer.body()).doesNotContain("sss");
    }

    @Test
    void aSessionIdWithControlCharactersIsA400() throws Exception {
        assertError(
                router.complete("{\"model\":\"m\",\"prompt\":\"a\",\"session_id\":\"a\\u0007b\"}"), 400, "bad_request");
    }

    @Test
    void whatIsNoRequestIsRefusedInTheSameShapeAndNotQuoted() throws Exception {
        try (Peer client = Peer.connect(router.apiPort())) {
            String answer = client.send(Peer.crlf("GET /v1/models HTTP/1.1\nhost: a\nx-session-id: secret\u0001\n\n"))
                    .readToEnd();

            assertThat(answer).contains("400 Bad Request", "x-router-reason: unreadable_request", "\"error\":");
            assertThat(answer).doesNotContain("secret");
        }
    }

    private static void assertError(HttpResponse<String> answer, int status, String reason) throws Exception {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(answer.headers().firstValue("x-router-reason")).hasValue(reason);
        assertThat(TestRouter.json(answer).at("/error/code").asText()).isEqualTo(reason);
    }
}
