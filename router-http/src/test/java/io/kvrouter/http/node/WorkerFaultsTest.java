package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers that fail in every way, as clients of one node meet them: a is the one that fails, b is well. */
class WorkerFaultsTest {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"x\"}";
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";

    private static TestRouter router;
    private static TestEngine well;
    private TestEngine failing;

    @BeforeAll
    static void start() throws Exception {
        well = new TestEngine("m");
        router = TestRouter.start(Map.of(
                "kvrouter.breaker.open", "200 ms",
                "kvrouter.breaker.slow-start", "100 ms",
                "kvrouter.retries.back-off", "1 ms",
                "kvrouter.upstream.first-byte-timeout", "1 s",
                "kvrouter.upstream.idle-timeout", "1 s",
                "kvrouter.upstream.total-timeout", "2 s"));
        router.register(well.url(), ",\"id\":\"b\"");
    }

    @AfterAll
    static void stop() {
        router.close();
        well.close();
    }

    @BeforeEach
    void startA() throws Exception {
        failing = new TestEngine("m");
        router.register(failing.url(), ",\"id\":\"a\"");
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        eventually("no load", () -> router.requests() == 0);
        eventually("no calls", () -> metric("kvrouter_upstream_calls") == 0);
        failing.close();
        router.remove("a");
    }

    private static double metric(String series) {
        try {
            return router.management("GET", "/metrics", "")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(series + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                    .sum();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String state() {
        return router.managed("/workers/a").path("state").asText();
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    /** Requests without a session, until the condition holds; all of them are answered. */
    private static void requestUntil(String what, BooleanSupplier condition) throws Exception {
        eventually(what, () -> {
            try {
                assertThat(router.complete(BODY).statusCode()).isEqualTo(200);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return condition.getAsBoolean();
        });
    }

    private static Peer post() throws Exception {
        return post("");
    }

    private static Peer post(String headers) throws Exception {
        return Peer.connect(router.apiPort())
                .send("POST /v1/completions HTTP/1.1\r\nHost: r\r\nContent-Type: application/json\r\n"
                        + "x-router-worker: a\r\n" + headers + "Content-Length: " + BODY.length()
                        + "\r\n\r\n" + BODY);
    }

    @Test
    void aWorkerThatBreaksOffIsBrokenUntilATrialIsAnsweredAndNoClientNotices() throws Exception {
        failing.follow((peer, request) -> peer.reset());
        requestUntil("broken", () -> state().equals("broken"));
        assertThat(metric("kvrouter_retries_total{reason=\"reset\"}")).isGreaterThanOrEqualTo(5);

        failing.follow(TestEngine.OK);

        requestUntil("up again", () -> state().equals("up"));
        assertThat(metric("kvrouter_worker_breaker{worker=\"a\"}")).isZero();
    }

    @Test
    void theSessionsOfABrokenWorkerRebind() throws Exception {
        router.complete(BODY, "x-session-id", "moves", "x-router-allow", "a");
        failing.follow((peer, request) -> peer.reset());
        requestUntil("broken", () -> state().equals("broken"));

        var moved = router.complete(BODY, "x-session-id", "moves");

        assertThat(header(moved, "x-router-worker")).isEqualTo("b");
        assertThat(header(moved, "x-router-decision")).isIn("rebound", "detoured"); // a trial may have come before
    }

    @ParameterizedTest
    @ValueSource(strings = {"429 Too Many Requests", "503 Service Unavailable"})
    void aWorkerThatPushesBackIsLeftAloneForAsLongAsItSays(String status) throws Exception {
        failing.follow(TestEngine.answering(status, "Retry-After: 30\r\n", "busy"));
        requestUntil("asked", () -> !failing.requests().isEmpty());
        int asked = failing.requests().size();
        eventually("rests", () -> router.managed("/workers/a").path("allowance").asInt(-1) == 0);
        asked = Math.max(asked, failing.requests().size());

        for (int i = 0; i < 20; i++) {
            assertThat(router.complete(BODY).statusCode()).isEqualTo(200);
        }

        assertThat(failing.requests()).hasSize(asked);
        assertThat(state()).isEqualTo("up");
    }

    @Test
    void thePushBackOfTheOnlyWorkerPassesUnchangedEachTime() throws Exception {
        failing.follow(TestEngine.answering("503 Service Unavailable", "Retry-After: 30\r\nx-own: 1\r\n", "busy"));

        for (int i = 0; i < 10; i++) {
            var answer = router.complete(BODY, "x-router-allow", "a");

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).isEqualTo("busy");
            assertThat(header(answer, "retry-after")).isEqualTo("30");
            assertThat(header(answer, "x-own")).isEqualTo("1");
        }
        assertThat(state()).isEqualTo("up");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 413, 422})
    void aClientsErrorsAreNeverItsWorkersFault(int status) throws Exception {
        failing.follow(TestEngine.answering(status + " No", "", "no"));

        for (int i = 0; i < 20; i++) {
            assertThat(router.complete(BODY, "x-router-allow", "a").statusCode())
                    .isEqualTo(status);
        }

        assertThat(state()).isEqualTo("up");
        assertThat(failing.requests()).hasSize(20);
    }

    @Test
    void aWorkerThatNeverAnswersTimesItsOwnRequestsOutAndIsBrokenThen() throws Exception {
        failing.follow((peer, request) -> peer.awaitClosed());
        var own = new AtomicInteger();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            clients.add(Thread.startVirtualThread(() -> {
                try {
                    var answer = router.complete(BODY, "x-router-worker", "a");
                    if (header(answer, "x-router-reason").equals("first_byte_timeout")) {
                        own.incrementAndGet();
                    }
                } catch (Exception e) {
                    own.set(-1_000);
                }
            }));
        }

        for (int i = 0; i < 20; i++) {
            assertThat(router.complete(BODY, "x-router-worker", "b").statusCode())
                    .isEqualTo(200);
        }
        for (Thread client : clients) {
            client.join(20_000);
        }

        assertThat(own).hasValue(6);
        eventually("broken", () -> state().equals("broken") || state().equals("trial"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 10\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"})
    void anAnswerThatStopsInTheMiddleIsReset(String rest) throws Exception {
        failing.follow(
                (peer, request) -> peer.send("HTTP/1.1 200 OK\r\n" + rest).awaitClosed());

        try (Peer client = post()) {
            client.readUntil("half");

            assertThat(client.endsByReset()).isTrue();
        }
        assertThat(failing.requests()).hasSize(1);
    }

    @Test
    void aStreamThatOutlastsTheTotalTimeIsAnErrorEventAndAReset() throws Exception {
        failing.follow((peer, request) -> {
            peer.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n");
            while (true) {
                peer.send("9\r\ndata: x\n\n\r\n");
                Thread.sleep(50);
            }
        });

        try (Peer client = post()) {
            client.readUntil("stream_broken\"}}\n\n");

            assertThat(client.endsByReset()).isTrue();
        }
        assertThat(state()).isEqualTo("up");
    }

    @Test
    void clientsThatLeaveASlowWorkerLeaveNothingBehind() throws Exception {
        var closed = new AtomicInteger();
        failing.follow((peer, request) -> {
            peer.awaitClosed();
            closed.incrementAndGet();
        });
        List<Peer> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(post());
        }
        eventually("all asked", () -> failing.requests().size() == 20);

        for (Peer client : clients) {
            client.reset();
        }

        eventually("the worker saw them leave", () -> closed.get() == 20);
        eventually("no load", () -> router.requests() == 0);
        assertThat(state()).isEqualTo("up");
    }

    @Test
    void whatAStreamsRequestAsksForPassesAndNothingIsAdded() throws Exception {
        String usage = "{\"model\":\"m\",\"prompt\":\"x\",\"stream\":true,\"stream_options\":{\"include_usage\":true}}";
        String plain = "{\"model\":\"m\",\"prompt\":\"x\",\"stream\":true}";

        router.complete(usage, "x-router-worker", "a");
        assertThat(failing.request().text()).isEqualTo(usage);
        router.complete(plain, "x-router-worker", "a");
        assertThat(failing.request().text()).isEqualTo(plain);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1a\r\n{\"model\":\"mmmmmmmmmmmmmmmmmmmmm", "zz\r\n", "1\r\n{\r\nffffffffffffffffff\r\n"})
    void aBodyWhoseChunksAreNoneIsTheClientsError(String chunks) throws Exception {
        try (Peer client = Peer.connect(router.apiPort())) {
            client.send("POST /v1/completions HTTP/1.1\r\nHost: r\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n" + chunks + "zzzzzzzzzzzzzz\r\n");

            assertThat(client.readHead()).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void aHeaderThatCannotBePassedOnIsTheClientsError() throws Exception {
        try (Peer client = post("x-odd: a\u007fb\r\n")) {
            assertThat(client.readHead()).startsWith("HTTP/1.1 400 ");
        }
        assertThat(failing.requests()).isEmpty();
    }
}
