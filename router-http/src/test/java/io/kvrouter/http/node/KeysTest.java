package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.access.KeyHash;
import io.kvrouter.http.testing.Peer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A node with keys: what their holders may, and that workers hear nothing of all the rest. */
@SuppressWarnings("StringConcatToTextBlock") // text blocks have no CRLF
class KeysTest {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"a\"}";
    private static final String KEYS = """
            callers {
              plain.keys = ["%s"]
              only-n { keys = ["%s"], models = [n] }
              of-g { keys = ["%s"], group = g, trust = [overrides] }
              trusted { keys = ["%s"], trust = [overrides, selection] }
            }
            """.formatted(hash("plain"), hash("only-n"), hash("of-g"), hash("trusted"));

    @TempDir
    private static Path directory = Path.of("");

    private static TestRouter router;
    private static TestEngine engine;
    private static TestEngine other;
    private int before;

    private static String hash(String key) {
        return KeyHash.of(key).text();
    }

    @BeforeAll
    static void start() throws Exception {
        Path keys = Files.writeString(directory.resolve("keys"), KEYS);
        engine = new TestEngine("m");
        other = new TestEngine("n");
        router = TestRouter.start(Map.of(
                "kvrouter.access.keys-file", keys.toString(),
                "kvrouter.model-aliases.alias", "m",
                "kvrouter.cors.origins", "https://chat.example.org"));
        router.register(engine.url(), ",\"id\":\"w\"");
        router.register(other.url(), ",\"id\":\"g-w\",\"group\":\"g\"");
    }

    @AfterAll
    static void stop() {
        router.close();
        engine.close();
        other.close();
    }

    @BeforeEach
    void count() {
        before = engine.requests().size() + other.requests().size();
    }

    /** In requests that were refused. */
    private void nothingWasForwarded() {
        assertThat(engine.requests().size() + other.requests().size()).isEqualTo(before);
    }

    @AfterEach
    void nothingIsHeld() throws Exception {
        eventually("no load", () -> router.requests() == 0);
    }

    private static HttpResponse<String> ask(String key, String body, String... more) throws Exception {
        String[] headers = new String[more.length + 2];
        headers[0] = "Authorization";
        headers[1] = "Bearer " + key;
        System.arraycopy(more, 0, headers, 2, more.length);
        return router.complete(body, headers);
    }

    private static String outcome(HttpResponse<String> answer) {
        String reason = answer.headers().firstValue("x-router-reason").orElse("");
        return (answer.statusCode() + " " + reason).strip();
    }

    @Test
    void theHolderOfAKeyIsServedAndItsKeyGoesNoFurther() throws Exception {
        assertThat(ask("plain", BODY, "x-custom", "1").statusCode()).isEqualTo(200);

        assertThat(engine.request().head())
                .contains("x-custom: 1\r\n")
                .doesNotContainIgnoringCase("authorization")
                .doesNotContain("plain");
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrong", "", "plain2", "Bearer plain"})
    void whoHasNoneIsRefused(String key) throws Exception {
        var answer = ask(key, BODY);

        assertThat(outcome(answer)).isEqualTo("401 invalid_api_key");
        assertThat(answer.headers().firstValue("www-authenticate")).hasValue("Bearer");
        assertThat(answer.headers().firstValue("x-request-id")).isPresent();
        assertThat(TestRouter.json(answer).at("/error/code").asText()).isEqualTo("invalid_api_key");
        nothingWasForwarded();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/models",
        "GET, /v1/models/m",
        "POST, /v1/chat/completions",
        "POST, /tokenize",
        "GET, /v1/files",
        "GET, /nothing",
        "GET, /loads",
        "POST, /select",
    })
    void nothingIsOpenWithoutAKey(String method, String path) throws Exception {
        assertThat(outcome(router.api(method, path, ""))).isEqualTo("401 invalid_api_key");
        nothingWasForwarded();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health", "/version"})
    void probesNeedNone(String path) throws Exception {
        assertThat(router.api("GET", path, "").statusCode()).isEqualTo(200);
    }

    @Test
    void anthropicsClientsAreUnderstoodAndAnsweredInTheirWords() throws Exception {
        String body = "{\"model\":\"m\",\"messages\":[]}";
        String json = "application/json";

        var served = router.api("POST", "/v1/messages", body, "Content-Type", json, "x-api-key", "plain");
        var refused = router.api("POST", "/v1/messages", body, "Content-Type", json, "x-api-key", "wrong");

        assertThat(served.statusCode()).isEqualTo(200);
        assertThat(engine.request().head()).doesNotContainIgnoringCase("x-api-key");
        assertThat(router.api("GET", "/v1/messages/batches", "", "x-api-key", "plain")
                        .statusCode())
                .isEqualTo(200);
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(TestRouter.json(refused).at("/error/type").asText()).isEqualTo("authentication_error");
    }

    @Test
    void whoIsRefusedNeedNotSendItsBody() throws Exception {
        try (Peer client = Peer.connect(router.apiPort())) {
            String head = client.send(head("Authorization: Bearer wrong\r\n", 5_000_000))
                    .readHead();

            assertThat(head).startsWith("HTTP/1.1 401");
        }
        try (Peer client = Peer.connect(router.apiPort())) {
            String head = client.send(head("Authorization: Bearer plain\r\nx-router-worker: w\r\n", 5_000_000))
                    .readHead();

            assertThat(head).startsWith("HTTP/1.1 403");
        }
        nothingWasForwarded();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer plain\r\nAuthorization: Bearer wrong\r\n",
                "Authorization: Bearer wrong\r\nauthorization: Bearer plain\r\n",
                "Authorization : Bearer plain\r\n",
                "Authorization: Bearer plain, Bearer trusted\r\n",
                "Authorization: Bearer\r\n",
                "x-api-key: plain\r\n",
            })
    void whatTwoCouldReadDifferentlyIsNoKey(String headers) throws Exception {
        try (Peer client = Peer.connect(router.apiPort())) {
            String head = client.send(head(headers, BODY.length()) + BODY).readHead();

            assertThat(head).containsPattern("^HTTP/1.1 40[01] ");
        }
        nothingWasForwarded();
    }

    private static String head(String headers, int length) {
        return "POST /v1/completions HTTP/1.1\r\nHost: r\r\nContent-Type: application/json\r\n" + headers
                + "Content-Length: " + length + "\r\n\r\n";
    }

    @ParameterizedTest
    @CsvSource({"m", "alias", "unheard-of"})
    void aModelThatIsNotItsOwnIsRefused(String model) throws Exception {
        assertThat(outcome(ask("only-n", BODY.replace("\"m\"", "\"" + model + "\""))))
                .isEqualTo("403 model_not_allowed");
        nothingWasForwarded();
    }

    @Test
    void whoMayNotAskForAllModelsMustNameOne() throws Exception {
        var answer = router.api("GET", "/v1/files", "", "Authorization", "Bearer only-n");

        assertThat(outcome(answer)).isEqualTo("403 model_not_allowed");
        nothingWasForwarded();
    }

    @ParameterizedTest
    @CsvSource({"x-router-worker, w", "x-router-allow, w", "X_Router_Group, default", "x-router-cost, temperature=1"})
    void overridesAreForTrustedCallers(String header, String value) throws Exception {
        assertThat(outcome(ask("plain", BODY, header, value))).isEqualTo("403 not_trusted");
        nothingWasForwarded();

        assertThat(ask("trusted", BODY, header, value).statusCode()).isEqualTo(200);
    }

    @Test
    void aCallersGroupIsWhereItsRequestsGo() throws Exception {
        assertThat(ask("of-g", BODY.replace("\"m\"", "\"n\"")).headers().firstValue("x-router-worker"))
                .hasValue("g-w");
        assertThat(outcome(ask("of-g", BODY, "x-router-group", "default"))).isEqualTo("403 group_not_allowed");
        assertThat(outcome(ask("of-g", BODY))).isEqualTo("503 model_not_served");
        assertThat(ask("trusted", BODY.replace("\"m\"", "\"n\""), "x-router-group", "g")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void modelsAreListedForThoseWhoMayAskForThem() throws Exception {
        assertThat(models("plain")).contains("\"m\"", "\"alias\"").doesNotContain("\"n\"");
        assertThat(models("trusted")).contains("\"m\"", "\"alias\"", "\"n\"");
        assertThat(models("of-g")).contains("\"n\"").doesNotContain("\"m\"", "\"alias\"");
        assertThat(models("only-n")).doesNotContain("\"m\"", "\"n\"", "\"alias\"");
        assertThat(router.api("GET", "/v1/models/n", "", "Authorization", "Bearer plain")
                        .statusCode())
                .isEqualTo(404);
    }

    private static String models(String key) throws Exception {
        return router.api("GET", "/v1/models", "", "Authorization", "Bearer " + key)
                .body();
    }

    @Test
    void theSelectionApiIsForThoseWhoAreTrustedWithIt() throws Exception {
        String body = "{\"model\":\"m\",\"token_ids\":[1]}";
        String json = "application/json";

        var plain = router.api("POST", "/select", body, "Content-Type", json, "Authorization", "Bearer plain");
        var trusted = router.api("POST", "/select", body, "Content-Type", json, "Authorization", "Bearer trusted");

        assertThat(outcome(plain)).isEqualTo("403 not_trusted");
        assertThat(TestRouter.json(trusted).path("worker_id").asText()).isEqualTo("w");
    }

    @Test
    void twoCallersNeverShareASession() throws Exception {
        ask("plain", BODY, "x-session-id", "s");
        eventually(
                "bound",
                () -> router.managed("/router/sessions/s?model=m&caller=plain").has("worker"));

        assertThat(router.managed("/router/sessions/s?model=m&caller=trusted").has("worker"))
                .isFalse();
        assertThat(router.managed("/router/sessions/s?model=m").has("worker")).isFalse();
        assertThat(ask("trusted", BODY, "x-session-id", "s").headers().firstValue("x-router-decision"))
                .hasValue("selected");
        assertThat(ask("plain", BODY, "x-session-id", "s").headers().firstValue("x-router-decision"))
                .hasValue("pinned");
    }

    @Test
    void aPreflightIsAnsweredBeforeAnybodyIsAskedForAKey() throws Exception {
        try (Peer client = Peer.connect(router.apiPort())) {
            String head = client.send(
                            "OPTIONS /v1/completions HTTP/1.1\r\nHost: r\r\nOrigin: https://chat.example.org\r\n"
                                    + "Access-Control-Request-Method: POST\r\n\r\n")
                    .readHead();

            assertThat(head).startsWith("HTTP/1.1 204");
        }
    }

    @Test
    void refusalsAreCounted() throws Exception {
        ask("wrong", BODY);

        assertThat(router.management("GET", "/metrics", "").body())
                .contains("kvrouter_answers_total{decision=\"none\",status=\"401\"}");
    }
}
