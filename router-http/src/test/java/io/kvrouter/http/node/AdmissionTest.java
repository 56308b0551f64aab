package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three workers that may have one request each, and requests that wait for them: one is alone with its model. */
class AdmissionTest {
    private static final String ALONE = "{\"model\":\"alone\",\"prompt\":\"x\"}";
    private static final String SHARED = "{\"model\":\"shared\",\"prompt\":\"x\"}";
    private static final ExecutorService CLIENTS = Executors.newVirtualThreadPerTaskExecutor();

    private static TestRouter router;
    private static GatedEngine alone;
    private static GatedEngine left;
    private static GatedEngine right;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of(
                "kvrouter.admission.requests-per-worker", "1",
                "kvrouter.admission.queue", "100",
                "kvrouter.retries.back-off", "1 ms"));
        alone = new GatedEngine(router, "alone", "alone");
        left = new GatedEngine(router, "shared", "left");
        right = new GatedEngine(router, "shared", "right");
    }

    @AfterAll
    static void stop() {
        router.close();
        List.of(alone, left, right).forEach(GatedEngine::close);
        CLIENTS.shutdownNow();
    }

    @BeforeEach
    void shut() {
        List.of(alone, left, right).forEach(GatedEngine::shut);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        List.of(alone, left, right).forEach(GatedEngine::open);
        eventually("nobody inside", () -> inside() == 0 && waiting() == 0);
        eventually("no load", () -> router.requests() == 0);
    }

    private static int inside() {
        return router.managed("/router/admission").path("inside").asInt();
    }

    private static int waiting() {
        var waiting = router.managed("/router/admission").path("waiting");
        return waiting.path("at_door").asInt() + waiting.path("for_worker").asInt();
    }

    private static Future<HttpResponse<String>> send(String body, String... headers) {
        Callable<HttpResponse<String>> call = () -> router.complete(body, headers);
        return CLIENTS.submit(call);
    }

    private static HttpResponse<String> answer(Future<HttpResponse<String>> call) throws Exception {
        return call.get(30, TimeUnit.SECONDS);
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    /** A request that its worker has, and does not answer yet. */
    private static Future<HttpResponse<String>> runs(GatedEngine engine, String body, String... headers)
            throws Exception {
        int before = engine.now();
        var call = send(body, headers);
        eventually("it runs", () -> engine.now() == before + 1);
        return call;
    }

    private static Peer post(String body) throws Exception {
        return Peer.connect(router.apiPort())
                .send("POST /v1/completions HTTP/1.1\r\nHost: r\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);
    }

    @Test
    void aWorkerThatMayHaveOneNeverSeesTwo() throws Exception {
        var calls = IntStream.range(0, 64).mapToObj(i -> send(ALONE)).toList();
        alone.open();

        for (var call : calls) {
            assertThat(answer(call).statusCode()).isEqualTo(200);
        }
        assertThat(alone.most()).isOne();
        assertThat(alone.bodies()).hasSize(64);
    }

    @Test
    void aClientThatLeavesTheQueueLeavesAtOnceAndTakesNoPermitAlong() throws Exception {
        var running = runs(alone, ALONE);
        try (Peer queued = post(ALONE)) {
            eventually("it waits", () -> waiting() == 1);
            queued.reset();
        }
        eventually("it is gone", () -> waiting() == 0);

        alone.open();

        assertThat(answer(running).statusCode()).isEqualTo(200);
        assertThat(router.complete(ALONE).statusCode()).isEqualTo(200);
        assertThat(alone.bodies()).hasSize(2);
    }

    @Test
    void clientsThatLeaveWhatRunsTakeNoPermitAlong() throws Exception {
        for (int i = 1; i <= 5; i++) {
            int runs = i;
            Peer client = post(ALONE);
            eventually("it runs", () -> alone.bodies().size() == runs);
            client.reset();
            eventually("it is over", () -> inside() == 0);
            alone.answer(1); // the engine has not seen that its client left
            eventually("the engine is free", () -> alone.now() == 0);
        }
        alone.open();

        assertThat(router.complete(ALONE).statusCode()).isEqualTo(200);
    }

    @Test
    void turnsThatWaitForTheirSessionsWorkerStandInNobodysWay() throws Exception {
        left.answer(1);
        router.complete(SHARED, "x-session-id", "waits", "x-router-allow", "left");
        var running = runs(left, SHARED, "x-router-worker", "left");
        var turns = IntStream.range(0, 5)
                .mapToObj(i -> send(SHARED, "x-session-id", "waits"))
                .toList();
        eventually("they wait", () -> waiting() == 5);
        right.open();

        assertThat(header(router.complete(SHARED), "x-router-worker")).isEqualTo("right");

        left.open();
        answer(running);
        for (var turn : turns) {
            assertThat(header(answer(turn), "x-router-worker")).isEqualTo("left");
        }
        assertThat(left.most()).isOne();
    }

    @Test
    void aRequestThatIsPassedOnNeedsThePermitOfItsNextWorker() throws Exception {
        var busy = runs(right, SHARED, "x-router-worker", "right");
        left.engine().follow(TestEngine.answering("503 Service Unavailable", "", "no"));
        var passedOn = send(SHARED);
        eventually("it waits for the other", () -> waiting() == 1);
        assertThat(router.requests()).isOne();

        right.open();

        assertThat(header(answer(passedOn), "x-router-worker")).isEqualTo("right");
        answer(busy);
        assertThat(right.most()).isOne();
        left.close();
        router.remove("left");
        left = new GatedEngine(router, "shared", "left");
    }

    /** Of four who waited the last one was the oldest, whatever the others' hurry: begins behind such a one. */
    private static void theOldestHasJustGone() throws Exception {
        while (router.managed("/router/admission").path("waited").asInt() % 4 != 0) {
            int before = alone.bodies().size();
            var running = runs(alone, ALONE);
            var waits = send(ALONE);
            eventually("one waits", () -> waiting() == 1);
            alone.answer(1);
            eventually("it runs", () -> alone.bodies().size() == before + 2);
            alone.answer(1);
            assertThat(answer(running).statusCode()).isEqualTo(200);
            assertThat(answer(waits).statusCode()).isEqualTo(200);
            eventually("shown", () -> inside() == 0);
        }
        alone.shut();
    }

    @Test
    void theOneInAHurryGoesFirst() throws Exception {
        theOldestHasJustGone();
        var running = runs(alone, ALONE.replace("x", "first"));
        var calm = send(ALONE.replace("x", "calm"));
        eventually("one waits", () -> waiting() == 1);
        var hurry = send(ALONE.replace("x", "header"), "x-router-priority", "-2");
        eventually("two wait", () -> waiting() == 2);
        var body = send(ALONE.replace("\"x\"", "\"body\",\"priority\":-3"));
        eventually("three wait", () -> waiting() == 3);

        for (int i = 0; i < 4; i++) {
            int seen = i + 1;
            eventually("the next runs", () -> alone.bodies().size() == seen && alone.now() == 1);
            alone.answer(1);
        }

        for (var call : List.of(running, calm, hurry, body)) {
            assertThat(answer(call).statusCode()).isEqualTo(200);
        }
        assertThat(alone.bodies().get(1)).contains("body");
        assertThat(alone.bodies().get(2)).contains("header");
        assertThat(alone.bodies().get(3)).contains("calm");
    }

    @Test
    void aPriorityThatIsNoNumberIsTheClientsError() throws Exception {
        assertThat(router.complete(ALONE, "x-router-priority", "soon").statusCode())
                .isEqualTo(400);
    }

    @Test
    void aReservationOfTheSelectionApiIsARequestLikeAnyOther() throws Exception {
        var reserved = router.call("/select_and_reserve", "{\"model\":\"alone\",\"text\":\"x\"}");
        var waits = send(ALONE);
        eventually("it waits", () -> waiting() == 1);
        alone.open();

        router.api("DELETE", "/reservations/" + reserved.path("reservation_id").asText(), "");

        assertThat(answer(waits).statusCode()).isEqualTo(200);
    }

    @Test
    void whoWaitsForAWorkerThatIsDrainedGoesToAnother() throws Exception {
        left.answer(1);
        router.complete(SHARED, "x-session-id", "moves", "x-router-allow", "left");
        var running = runs(left, SHARED, "x-router-worker", "left");
        var turn = send(SHARED, "x-session-id", "moves");
        eventually("it waits", () -> waiting() == 1);
        right.open();

        router.management("PATCH", "/workers/left", "{\"draining\":true}");

        assertThat(header(answer(turn), "x-router-worker")).isEqualTo("right");
        left.open();
        answer(running);
        router.management("PATCH", "/workers/left", "{\"draining\":false}");
        eventually(
                "up",
                () -> router.managed("/workers/left").path("state").asText().equals("up"));
    }

    @Test
    void metricsTellWhoWaits() throws Exception {
        var running = runs(alone, ALONE);
        var waits = send(ALONE);
        eventually("it waits", () -> waiting() == 1);

        assertThat(router.management("GET", "/metrics", "").body())
                .contains("kvrouter_admission_inside 1.0\n")
                .contains("kvrouter_admission_waiting{at=\"worker\"} 1.0\n")
                .contains("kvrouter_admission_sent_away_total{reason=\"queue_full\"} 0.0\n");

        alone.open();
        answer(running);
        answer(waits);
    }
}
