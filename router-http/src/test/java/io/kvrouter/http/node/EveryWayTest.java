package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.http.testing.Peer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every client, by whichever protocol and API: two workers, of which each may have one request. */
@SuppressWarnings("StringConcatToTextBlock") // text blocks have no CRLF
class EveryWayTest {
    private static final String EVENTS =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String TOWN = "Köln €";
    private static final List<Peer.Message> SEEN = new CopyOnWriteArrayList<>();

    private static TestRouter router;
    private static TestEngine one;
    private static TestEngine other;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of(
                "kvrouter.http2-port", "0",
                "kvrouter.admission.requests-per-worker", "1",
                "kvrouter.retries.back-off", "1 ms"));
        one = new TestEngine("m");
        other = new TestEngine("m");
        follow(TestEngine.OK);
        router.register(one.url(), "");
        router.register(other.url(), "");
    }

    @AfterAll
    static void stop() {
        router.close();
        one.close();
        other.close();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        eventually("no load", () -> router.requests() == 0);
        follow(TestEngine.OK);
    }

    /** Whichever worker has a request does that. */
    private static void follow(TestEngine.Script script) {
        SEEN.clear();
        for (TestEngine engine : List.of(one, other)) {
            engine.follow((peer, request) -> {
                SEEN.add(request);
                script.run(peer, request);
            });
        }
    }

    private static String body(boolean streams) {
        return "{\"model\":\"m\", \"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"stream\":" + streams + "}";
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    @ParameterizedTest
    @EnumSource
    void whatTheWorkersSayPassesUnchanged(ClientWay way) throws Exception {
        String said = "{\"error\" : {\"message\":\"é\"}} ";
        for (int status : new int[] {200, 400, 404, 413, 422, 429, 503, 529}) {
            follow(TestEngine.answering(
                    status + " Said So",
                    "Content-Type: application/json; charset=utf-8\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
                            + "Retry-After: 0\r\nServer: uvicorn\r\nx-town: " + TOWN
                            + "\r\nConnection: x-hop\r\nx-hop: 1\r\n",
                    said));
            for (boolean streams : new boolean[] {true, false}) {
                try (var call = way.post(router, body(streams))) {
                    assertThat(call.status()).isEqualTo(status);
                    assertThat(call.whole()).isEqualTo(said);
                    assertThat(call.headers("content-type")).containsExactly("application/json; charset=utf-8");
                    assertThat(call.headers("set-cookie")).containsExactly("a=1", "b=2");
                    assertThat(call.headers("retry-after")).containsExactly("0");
                    assertThat(call.headers("server")).containsExactly("uvicorn");
                    assertThat(call.headers("x-town")).containsExactly(new String(TOWN.getBytes(UTF_8), ISO_8859_1));
                    assertThat(call.headers("x-hop")).isEmpty();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatAClientSendsReachesItsWorkerAndNothingIsAdded(ClientWay way) throws Exception {
        String usage = body(true).replace("}]", "}],\"stream_options\":{\"include_usage\":true}");
        for (String sent : List.of(usage, body(true), body(false))) {
            try (var call = way.post(router, sent, "x-custom", "1")) {
                assertThat(call.whole()).isEqualTo("{\"ok\":true}");

                List<String> ids = call.headers("x-request-id");
                assertThat(ids).hasSize(1);
                assertThat(SEEN.getLast().text()).isEqualTo(sent);
                assertThat(SEEN.getLast().head()).startsWith("POST " + way.path() + " HTTP/1.1\r\n");
                assertThat(SEEN.getLast().head().toLowerCase(Locale.ROOT).lines())
                        .contains("x-custom: 1", "x-request-id: " + ids.getFirst(), "content-type: application/json");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStreamPassesHoweverItIsCut(ClientWay way) throws Exception {
        String stream = "data:{\"c\":\"ü€😀 data: [DONE]\"}\r\n\r\nevent: x\nid: 1\ndata: 2\n\n: ping\n\n"
                + "data: [DONE]\n\ndata: after the end\n\n";
        follow((peer, request) -> {
            peer.send(EVENTS);
            for (byte part : stream.getBytes(UTF_8)) {
                peer.send("1\r\n").send(new byte[] {part}).send("\r\n");
            }
            peer.send("0\r\n\r\n");
        });

        try (var call = way.post(router, body(true))) {
            assertThat(call.whole()).isEqualTo(stream);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStreamThatItsWorkerResetsEndsWithAnErrorEventAndBrokenAndIsNotTriedAgain(ClientWay way) throws Exception {
        var read = new CountDownLatch(1);
        String chunks = "data: 1\n\ndata: 2\n\ndata: 3\n\n";
        follow((peer, request) -> {
            peer.send(EVENTS + chunk("data: 1\n\n") + chunk("data: 2\n\n") + chunk("data: 3\n\n"));
            read.await();
            peer.reset();
        });

        try (var call = way.post(router, body(true))) {
            call.awaitText(chunks);
            read.countDown();
            String half = call.half();

            assertThat(half).startsWith(chunks + "\n\nevent: error\ndata: {").endsWith("}\n\n");
            JsonNode error = new ObjectMapper().readTree(half.substring(half.indexOf('{')));
            assertThat(error.at("/error/message").isTextual()).isTrue();
            assertThat(error.at("/error/code").asText("none")).isEqualTo(way.isOpenAi() ? "stream_broken" : "none");
            assertThat(error.path("type").asText("none")).isEqualTo(way.isOpenAi() ? "none" : "error");
        }
        assertThat(SEEN).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerThatItsWorkerCutsIsBrokenAndNotTriedAgain(ClientWay way) throws Exception {
        var read = new CountDownLatch(1);
        follow((peer, request) -> {
            peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"half\":");
            read.await();
            throw new IOException("enough");
        });

        try (var call = way.post(router, body(false))) {
            call.awaitText("half");
            read.countDown();
            assertThat(call.half()).isEqualTo("{\"half\":");
        }
        assertThat(SEEN).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void theLoadIsHeldUntilTheLastByte(ClientWay way) throws Exception {
        for (String framing :
                List.of(EVENTS + chunk("data: 1\n\n"), "HTTP/1.1 200 OK\r\nContent-Length: 28\r\n\r\ndata: 1\n\n")) {
            var last = new CountDownLatch(1);
            boolean streams = framing.startsWith(EVENTS);
            follow((peer, request) -> {
                peer.send(framing);
                last.await();
                peer.send(streams ? chunk("data: 2 and the end\n") + "0\r\n\r\n" : "data: 2 and the end");
            });

            try (var call = way.post(router, body(streams)).awaitText("data: 1");
                    var later = way.post(router, body(streams)).awaitText("data: 1")) {
                eventually("both are held", () -> router.requests() == 2);
                last.countDown();

                assertThat(call.whole()).contains("data: 2 and the end");
                assertThat(later.whole()).contains("data: 2 and the end");
                eventually("no load", () -> router.requests() == 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsThatLeaveAreNoticedByTheirWorkersAndTakeNoPermitAlong(ClientWay way) throws Exception {
        var closed = new AtomicInteger();
        follow((peer, request) -> {
            if (request.text().equals(body(true))) {
                peer.send(EVENTS + chunk("data: 1\n\n"));
            }
            peer.awaitClosed();
            closed.incrementAndGet();
            throw new IOException("the client has gone");
        });

        for (int i = 1; i <= 10; i++) {
            boolean streams = i % 2 == 0;
            int calls = i;
            try (var call = way.post(router, body(streams))) {
                eventually("at the worker", () -> SEEN.size() == calls);
                call.awaitText(streams ? "data: 1" : "");
            }
            eventually("the worker saw it", () -> closed.get() == calls);
        }
        follow(TestEngine.OK);

        try (var call = way.post(router, body(false))) {
            assertThat(call.status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotBeReadIsRefusedInTheWordsOfTheApi(ClientWay way) throws Exception {
        String deep = "{\"model\":\"m\",\"messages\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        byte[] latin = body(true).replace("hi", "é").getBytes(ISO_8859_1);
        byte[] good = body(true).getBytes(UTF_8);

        for (String bad : List.of("", "nonsense", "\"{}\"", "[]", deep)) {
            refused(way, "400 bad_request", "POST", bad.getBytes(UTF_8));
        }
        refused(way, "400 bad_request", "POST", latin);
        refused(way, "415 unsupported_media_type", "POST", good, "content-type", "text/plain");
        refused(way, "405 method_not_allowed", "GET", new byte[0]);
        try (var call = way.send(router, "POST", "/nothing", good)) {
            assertThat(call.status()).isEqualTo(404);
            assertThat(new ObjectMapper()
                            .readTree(call.whole())
                            .at("/error/code")
                            .asText())
                    .isEqualTo("unknown_path");
        }
        assertThat(SEEN).isEmpty();
    }

    private static void refused(ClientWay way, String outcome, String method, byte[] body, String... headers)
            throws Exception {
        String reason = outcome.substring(4);
        try (var call = way.send(router, method, way.path(), body, headers)) {
            assertThat(call.status() + " " + String.join("", call.headers("x-router-reason")))
                    .isEqualTo(outcome);
            assertThat(call.headers("content-type")).containsExactly("application/json");
            assertThat(call.headers("x-request-id")).hasSize(1);
            JsonNode said = new ObjectMapper().readTree(call.whole());
            assertThat(said.at("/error/message").isTextual()).isTrue();
            assertThat(said.at("/error/code").asText("none")).isEqualTo(way.isOpenAi() ? reason : "none");
            assertThat(said.path("type").asText("none")).isEqualTo(way.isOpenAi() ? "none" : "error");
        }
    }
}
