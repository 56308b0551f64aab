package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Workers that come, go, die and come back. Each test has workers, and a model, of its own. */
class WorkerLifeTest {
    private static final String EVENTS =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static TestRouter router;
    private final List<TestEngine> engines = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of("kvrouter.retries.back-off", "1 ms"));
    }

    @AfterAll
    static void stop() {
        router.close();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        eventually("no load", () -> router.requests() == 0);
        engines.forEach(TestEngine::close);
    }

    private TestEngine engine(String model) throws Exception {
        var engine = new TestEngine(model);
        engines.add(engine);
        return engine;
    }

    /** An engine that is up as the worker of that name. */
    private TestEngine worker(TestRouter at, String model, String id) throws Exception {
        var engine = engine(model);
        at.register(engine.url(), ",\"id\":\"" + id + "\"");
        return engine;
    }

    private static String body(String model) {
        return "{\"model\":\"" + model + "\",\"prompt\":\"x\"}";
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    private static String turn(TestRouter at, String model, String... headers) throws Exception {
        var answer = at.complete(body(model), headers);
        return answer.statusCode() + " " + header(answer, "x-router-decision") + " " + header(answer, "x-router-worker")
                + header(answer, "x-router-reason");
    }

    private static String state(TestRouter at, String id) {
        return at.managed("/workers/" + id).path("state").asText();
    }

    private static Peer post(String model, String worker) throws Exception {
        return Peer.connect(router.apiPort())
                .send("POST /v1/completions HTTP/1.1\r\nHost: r\r\nContent-Type: application/json\r\nx-router-worker: "
                        + worker + "\r\nContent-Length: " + body(model).length() + "\r\n\r\n" + body(model));
    }

    @Test
    void oneThatIsKilledAndStartedAgainAtItsAddressIsBack() throws Exception {
        var killed = worker(router, "again", "again-1");
        killed.close();
        eventually("down", () -> state(router, "again-1").equals("down"));

        engines.add(new TestEngine("again", killed.url()));

        eventually("up", () -> state(router, "again-1").equals("up"));
        assertThat(turn(router, "again")).isEqualTo("200 selected again-1");
    }

    @Test
    void oneWhoseHealthAnswers503GetsNothingUntilItIsWell() throws Exception {
        worker(router, "ill", "ill-1");
        var ill = engine("ill").health("503 Service Unavailable");
        router.management("POST", "/workers", "{\"url\":\"" + ill.url() + "\",\"id\":\"ill-2\"}");
        eventually("was checked", () -> ill.checks() > 2);

        for (int i = 0; i < 10; i++) {
            assertThat(turn(router, "ill")).isEqualTo("200 selected ill-1");
        }
        assertThat(turn(router, "ill", "x-router-worker", "ill-2")).isEqualTo("400  worker_not_eligible");
        assertThat(state(router, "ill-2")).isEqualTo("pending");
        assertThat(ill.requests()).isEmpty();

        ill.health("200 OK");
        eventually("up", () -> state(router, "ill-2").equals("up"));
        assertThat(turn(router, "ill", "x-router-worker", "ill-2")).startsWith("200 ");
    }

    @Test
    void oneThatIsRemovedIsForgottenAndItsSessionsMoveWithTheirNextTurns() throws Exception {
        worker(router, "left", "left-1");
        worker(router, "left", "left-2");
        assertThat(turn(router, "left", "x-session-id", "s", "x-router-allow", "left-1"))
                .isEqualTo("200 selected left-1");
        eventually("bound", () -> boundWorker(router, "left").equals("left-1"));

        router.remove("left-1");

        eventually("its series are gone", () -> seriesOf("left-1").isEmpty());
        assertThat(router.managed("/router/load").toString()).doesNotContain("left-1");
        assertThat(boundWorker(router, "left")).isEqualTo("left-1");
        assertThat(turn(router, "left", "x-session-id", "s")).isEqualTo("200 rebound left-2");
    }

    private static String boundWorker(TestRouter at, String model) {
        return at.managed("/router/sessions/s?model=" + model).path("worker").asText();
    }

    /** But for how many sessions are still bound to it. */
    private static List<String> seriesOf(String worker) {
        try {
            return router.management("GET", "/metrics", "")
                    .body()
                    .lines()
                    .filter(line -> line.contains(worker) && !line.startsWith("kvrouter_sessions_bound{"))
                    .toList();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aStreamThatOutlivesTheRegistrationOfItsWorkerLeavesNothingOnTheNextOne() throws Exception {
        var finish = new CountDownLatch(1);
        var engine = worker(router, "twice", "twice-1");
        engine.follow((peer, request) -> {
            peer.send(EVENTS + "9\r\ndata: 1\n\n\r\n");
            finish.await();
            peer.send("9\r\ndata: 2\n\n\r\n0\r\n\r\n");
        });

        try (Peer client = post("twice", "twice-1")) {
            client.readUntil("data: 1\n\n");
            router.remove("twice-1");
            router.register(engine.url(), ",\"id\":\"twice-1\"");
            finish.countDown();
            client.readUntil("data: 2\n\n\r\n0\r\n\r\n");
        }

        eventually("its load is zero", () -> requestsOf("twice-1") == 0);
        engine.follow((peer, request) -> {
            eventually("one is one", () -> requestsOf("twice-1") == 1);
            TestEngine.OK.run(peer, request);
        });
        assertThat(turn(router, "twice")).isEqualTo("200 selected twice-1");
    }

    private static int requestsOf(String worker) {
        return router.managed("/router/load")
                .at("/total/" + worker + "/0/requests")
                .asInt(-1);
    }

    @Test
    void oneThatNeverAnswersHoldsUpItsOwnRequestsOnly() throws Exception {
        var stalled = worker(router, "stalled", "stalled-1");
        worker(router, "stalled", "stalled-2");
        stalled.follow((peer, request) -> peer.awaitClosed());
        List<Peer> waiting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            waiting.add(post("stalled", "stalled-1"));
        }
        eventually("all are there", () -> stalled.requests().size() == 50);

        assertThat(turn(router, "stalled")).as("short as they are").isEqualTo("200 selected stalled-2");
        for (int i = 0; i < 50; i++) {
            assertThat(turn(router, "stalled", "x-router-worker", "stalled-2")).endsWith(" stalled-2");
        }

        eventually("they still wait", () -> requestsOf("stalled-1") == 50);
        for (Peer client : waiting) {
            client.close();
        }
    }

    @Test
    void oneThatRefusesIsReplacedAndNotAskedAgain() throws Exception {
        try (var unaware = TestRouter.start(Map.of("kvrouter.health-check-interval", "24h"))) {
            var first = worker(unaware, "dead", "dead-1");
            var second = worker(unaware, "dead", "dead-2");
            assertThat(turn(unaware, "dead", "x-session-id", "s", "x-router-allow", "dead-1"))
                    .isEqualTo("200 selected dead-1");
            eventually("bound", () -> boundWorker(unaware, "dead").equals("dead-1"));

            first.close();

            assertThat(turn(unaware, "dead", "x-session-id", "s")).isEqualTo("200 rebound dead-2");
            eventually("known", () -> state(unaware, "dead-1").equals("down"));
            for (int i = 0; i < 20; i++) {
                assertThat(turn(unaware, "dead")).isEqualTo("200 selected dead-2");
            }
            assertThat(unaware.management("GET", "/metrics", "").body())
                    .contains("kvrouter_retries_total{reason=\"connect\"} 1.0\n");

            second.close();

            assertThat(turn(unaware, "dead")).isEqualTo("502  connect_failed");
            eventually("known", () -> state(unaware, "dead-2").equals("down"));
            assertThat(turn(unaware, "dead")).isEqualTo("503  no_eligible_worker");
            eventually("no load", () -> unaware.requests() == 0);
        }
    }
}
