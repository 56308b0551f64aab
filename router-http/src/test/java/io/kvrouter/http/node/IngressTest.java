package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire between client, node and worker. */
@SuppressWarnings("StringConcatToTextBlock") // text blocks have no CRLF
class IngressTest {
    private static final String BODY = "{\"model\":\"m\", \"prompt\" : \"héllo\" }";
    private static TestRouter router;
    private static TestEngine engine;
    private static String id;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of());
        engine = new TestEngine("m");
        id = router.register(engine.url(), "");
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

    @Test
    void theBodyGoesToTheWorkerByteForByte() throws Exception {
        var answer = router.complete(BODY);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"ok\":true}");
        assertThat(engine.request().text()).isEqualTo(BODY);
        assertThat(engine.request().head()).startsWith("POST /v1/completions HTTP/1.1\r\n");
    }

    @Test
    void aLongPromptIsRoutedLikeAnyOther() throws Exception {
        String body = "{\"model\":\"m\",\"prompt\":\"" + "0123456789".repeat(300_000) + "\"}";

        assertThat(router.complete(body).statusCode()).isEqualTo(200);
        assertThat(engine.request().text()).isEqualTo(body);
    }

    @Test
    void theQueryStringPasses() throws Exception {
        router.api("POST", "/v1/completions?api-version=1%2F2&x", BODY, "Content-Type", "application/json");

        assertThat(engine.request().head()).startsWith("POST /v1/completions?api-version=1%2F2&x HTTP/1.1");
    }

    @Test
    void theClientsHeadersReachTheWorkerButForTheRoutersOwn() throws Exception {
        router.complete(BODY, "x-custom", "1", "Authorization", "Bearer k", "x-router-allow", id, "x-session-id", "s");

        assertThat(lines(engine.request().head()))
                .contains("x-custom: 1", "authorization: bearer k", "x-session-id: s", "content-type: application/json")
                .noneMatch(line -> line.startsWith("x-router-"));
    }

    @Test
    void headersOfOneHopEndHere() throws Exception {
        try (Peer client = Peer.connect(router.apiPort())) {
            client.send("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    + "Connection: keep-alive, x-hop\r\nx-hop: 1\r\nTE: trailers\r\nKeep-Alive: timeout=5\r\n"
                    + "Content-Length: " + BODY.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n"
                    + BODY);
            client.readHead();
        }

        assertThat(lines(engine.request().head()))
                .noneMatch(line -> line.matches("(connection|x-hop|te|keep-alive):.*"));
    }

    @Test
    void headersOutsideAsciiPassAsTheirBytes() throws Exception {
        engine.follow(TestEngine.answering("200 OK", "x-town: Köln €\r\n", "{}"));
        try (Peer client = Peer.connect(router.apiPort())) {
            client.send("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    + "x-city: Zürich €\r\nContent-Length: 26\r\n\r\n{\"model\":\"m\",\"prompt\":\"a\"}");
            assertThat(client.readHead()).startsWith("HTTP/1.1 200").contains("x-town: Köln €\r\n");
        }

        assertThat(engine.request().head()).contains("x-city: Zürich €\r\n");
    }

    @Test
    void sessionIdsOutsideAsciiAreToldApart() throws Exception {
        for (String session : List.of("zürich", "zörich")) {
            try (Peer client = Peer.connect(router.apiPort())) {
                client.send(
                        "POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nx-session-id: "
                                + session + "\r\nContent-Length: 26\r\n\r\n{\"model\":\"m\",\"prompt\":\"a\"}");
                assertThat(client.readHead()).contains("x-router-decision: selected");
            }
        }

        eventually(
                "both bound",
                () -> router.managed("/router/sessions/z%C3%BCrich").has("worker")
                        && router.managed("/router/sessions/z%C3%B6rich").has("worker"));
    }

    @Test
    void theWorkersStatusHeadersAndBodyPass() throws Exception {
        engine.follow(TestEngine.answering(
                "418 Teapot",
                "Content-Type: application/json; charset=utf-8\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
                        + "Retry-After: 7\r\nServer: uvicorn\r\nx-worker: w\r\nConnection: x-hop\r\nx-hop: 1\r\n",
                "{\"é\":1} "));

        var answer = router.complete(BODY);

        assertThat(answer.statusCode()).isEqualTo(418);
        assertThat(answer.body()).isEqualTo("{\"é\":1} ");
        assertThat(answer.headers().allValues("set-cookie")).containsExactly("a=1", "b=2");
        assertThat(answer.headers().allValues("server")).containsExactly("uvicorn");
        assertThat(answer.headers().allValues("content-type")).containsExactly("application/json; charset=utf-8");
        assertThat(answer.headers().firstValue("retry-after")).hasValue("7");
        assertThat(answer.headers().firstValue("x-hop")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 413, 422, 429, 503, 529})
    void errorsOfTheWorkerAreNotWrapped(int status) throws Exception {
        engine.follow(TestEngine.answering(status + " No", "Content-Type: text/plain\r\n", "as it is"));

        var answer = router.complete("{\"model\":\"m\",\"prompt\":\"a\",\"stream\":true}");

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo("as it is");
        assertThat(answer.headers().firstValue("content-type")).hasValue("text/plain");
    }

    @Test
    void theAnswerSaysWhereItCameFromAndNotAtWhichAddress() throws Exception {
        engine.follow(TestEngine.answering(
                "200 OK", "x-router-worker: http://10.0.0.1\r\nx-router-node: http://10.0.0.2\r\n", "{}"));

        var answer = router.complete(BODY);

        assertThat(answer.headers().allValues("x-router-worker")).containsExactly(id);
        assertThat(answer.headers().allValues("x-router-decision")).containsExactly("selected");
        assertThat(answer.headers().allValues("x-router-overlap-tokens")).hasSize(1);
        assertThat(answer.headers().map().toString())
                .doesNotContain("10.0.0")
                .doesNotContain("" + engine.url().getPort());
    }

    @Test
    void aRequestIdIsMadeForClientAndWorkerAlike() throws Exception {
        var answer = router.complete(BODY);

        var made = answer.headers().allValues("x-request-id");
        assertThat(made).hasSize(1);
        assertThat(lines(engine.request().head())).contains("x-request-id: " + made.getFirst());
    }

    @Test
    void theClientsRequestIdIsKept() throws Exception {
        var answer = router.complete(BODY, "X-Request-Id", "abc");

        assertThat(answer.headers().allValues("x-request-id")).containsExactly("abc");
        assertThat(lines(engine.request().head())).contains("x-request-id: abc");
    }

    @Test
    void bytesOfAStreamPassAsTheyWereCut() throws Exception {
        byte[] stream = ("data:{\"c\":\"ü€😀 data: [DONE]\"}\r\n\r\nevent: x\nid: 1\ndata: 2\n\n: ping\n\n"
                        + "data: [DONE]\n\n")
                .getBytes(StandardCharsets.UTF_8);
        engine.follow((peer, request) -> {
            peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (byte one : stream) {
                peer.send("1\r\n").send(new byte[] {one}).send("\r\n");
            }
            peer.send("0\r\n\r\n");
        });

        assertThat(router.complete(BODY).body().getBytes(StandardCharsets.UTF_8))
                .isEqualTo(stream);
    }

    @Test
    void aWorkerThatBreaksOffAStreamIsAnErrorEventAndAReset() throws Exception {
        engine.follow((peer, request) -> {
            peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "9\r\ndata: 1\n\n\r\n");
            peer.reset();
        });

        try (Peer client = post(BODY)) {
            client.readUntil("data: 1\n\n");
            assertThat(client.readUntil("stream_broken\"}}\n\n")).contains("data: {\"error\":{\"message\":");
            assertThat(client.endsByReset()).isTrue();
        }
    }

    @Test
    void aClientThatLeavesBeforeTheHeadClosesTheWorkersConnection() throws Exception {
        var closed = new CountDownLatch(1);
        engine.follow((peer, request) -> {
            peer.awaitClosed();
            closed.countDown();
        });
        int before = engine.requests().size();

        try (Peer client = post(BODY)) {
            eventually("asked", () -> engine.requests().size() > before);
            client.reset();
        }

        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aJsonBodyMayStateItsCharset() throws Exception {
        var answer = router.api("POST", "/v1/completions", BODY, "Content-Type", "application/json; charset=utf-8");

        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void theSecondTurnIsPinnedUnderEachSpellingOfTheHeader() throws Exception {
        router.complete(BODY, "x-session-id", "spelled");
        eventually(
                "replicated", () -> router.managed("/router/sessions/spelled").has("worker"));

        for (String name : List.of("X-Session-ID", "x_session_id")) {
            assertThat(router.complete(BODY, name, "spelled").headers().firstValue("x-router-decision"))
                    .hasValue("pinned");
        }
    }

    private static Peer post(String body) throws Exception {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        return Peer.connect(router.apiPort())
                .send("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                        + length + "\r\n\r\n" + body);
    }

    private static List<String> lines(String head) {
        return head.toLowerCase(Locale.ROOT).lines().toList();
    }
}
