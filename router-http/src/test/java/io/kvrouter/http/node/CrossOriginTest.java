package io.kvrouter.http.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pages of other origins, with CORS on for one of them. */
@SuppressWarnings("StringConcatToTextBlock") // text blocks have no CRLF
class CrossOriginTest {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"a\"}";
    private static TestRouter router;
    private static TestEngine engine;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of("kvrouter.cors.origins", "https://chat.example.org"));
        engine = new TestEngine("m");
        router.register(engine.url(), "");
        engine.follow(TestEngine.answering(
                "200 OK", "Access-Control-Allow-Origin: *\r\naccess-control-allow-credentials: true\r\n", "{}"));
    }

    @AfterAll
    static void stop() throws Exception {
        router.close();
        engine.close();
    }

    @Test
    void aPreflightIsAnsweredWithoutAWorkerAndWithoutCredentials() throws Exception {
        int before = engine.requests().size();

        String head = ask(
                "OPTIONS",
                "https://chat.example.org",
                "Access-Control-Request-Method: POST\r\n"
                        + "Access-Control-Request-Headers: authorization, x-session-id, X-Router-Worker, x_router_allow, x-Router_group\r\n",
                "");

        assertThat(head)
                .startsWith("HTTP/1.1 204")
                .contains("Access-Control-Allow-Origin: https://chat.example.org\r\n")
                .contains("Access-Control-Allow-Methods: POST\r\n")
                .contains("Access-Control-Allow-Headers: authorization, x-session-id\r\n")
                .contains("Access-Control-Max-Age: 600\r\n");
        assertThat(engine.requests()).hasSize(before);
    }

    @Test
    void anAnswerMayBeReadAndTheWorkersOwnWordIsReplaced() throws Exception {
        String head = ask("POST", "https://chat.example.org", "", BODY);

        assertThat(head)
                .startsWith("HTTP/1.1 200")
                .contains("Access-Control-Allow-Origin: https://chat.example.org\r\n")
                .contains("Vary: Origin\r\n")
                .containsPattern("Access-Control-Expose-Headers: .*x-router-decision.*x-should-retry")
                .doesNotContain("*")
                .doesNotContainIgnoringCase("credentials");
    }

    @Test
    void anErrorMayBeReadToo() throws Exception {
        assertThat(ask("POST", "https://chat.example.org", "", "{}"))
                .startsWith("HTTP/1.1 400")
                .contains("Access-Control-Allow-Origin: https://chat.example.org\r\n");
    }

    @Test
    void pagesOfOtherOriginsAreNotAllowed() throws Exception {
        assertThat(ask("OPTIONS", "https://evil.example.org", "Access-Control-Request-Method: POST\r\n", ""))
                .startsWith("HTTP/1.1 405")
                .doesNotContainIgnoringCase("access-control");
    }

    @Test
    void pagesOfOtherOriginsReadNoAnswerWhateverTheWorkerSays() throws Exception {
        assertThat(ask("POST", "https://evil.example.org", "", BODY))
                .startsWith("HTTP/1.1 200")
                .contains("Vary: Origin\r\n")
                .doesNotContainIgnoringCase("access-control");
    }

    private static String ask(String method, String origin, String headers, String body) throws Exception {
        try (Peer client = Peer.connect(router.apiPort())) {
            return client.send(method + " /v1/completions HTTP/1.1\r\nHost: r\r\nOrigin: " + origin + "\r\n" + headers
                            + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                    .readHead();
        }
    }
}
