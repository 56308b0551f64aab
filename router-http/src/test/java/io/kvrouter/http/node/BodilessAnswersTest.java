package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers whose status allows no body, however their worker frames them. */
class BodilessAnswersTest {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"x\"}";
    private static final String POST = "POST /v1/completions HTTP/1.1\r\nHost: r\r\nContent-Type: application/json\r\n"
            + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY;

    private static TestRouter router;
    private static TestEngine engine;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of("kvrouter.admission.requests-per-worker", "1"));
        engine = new TestEngine("m");
        router.register(engine.url(), "");
    }

    @AfterAll
    static void stop() {
        router.close();
        engine.close();
    }

    @ParameterizedTest
    @CsvSource({
        "204 No Content, Transfer-Encoding: chunked, ''",
        "204 No Content, Transfer-Encoding: chunked, 0",
        "304 Not Modified, Transfer-Encoding: chunked, 0",
        "205 Reset Content, Transfer-Encoding: chunked, 0",
        "205 Again, Transfer-Encoding: chunked, 0",
        "205 Reset Content, Content-Length: 3, abc",
        "205 Reset Content, Content-Length: 0, ''",
        "205 Reset Content, x-no: length, ''",
    })
    void passAndFreeTheirWorkersOnlyPermit(String status, String framing, String rest) throws Exception {
        String body = rest.equals("0") ? "0\r\n\r\n" : rest;
        engine.follow((peer, request) -> peer.send("HTTP/1.1 " + status + "\r\n" + framing + "\r\n\r\n" + body));

        try (Peer client = Peer.connect(router.apiPort())) {
            String head = client.send(POST).readHead();
            eventually("no load", () -> router.requests() == 0);
            engine.follow(TestEngine.OK);

            assertThat(head).startsWith("HTTP/1.1 " + status + "\r\n").doesNotContainIgnoringCase("transfer-encoding");
            assertThat(head.contains("Content-Length: 0\r\n")).isEqualTo(status.startsWith("205"));
            assertThat(client.send(POST).readMessage().text()).isEqualTo("{\"ok\":true}");
        }
    }
}
