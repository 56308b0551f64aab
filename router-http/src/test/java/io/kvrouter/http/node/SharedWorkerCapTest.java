package io.kvrouter.http.node;

import static io.kvrouter.http.node.TestCluster.ask;
import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three nodes, and workers of which each may have one request: of all nodes together. */
class SharedWorkerCapTest {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"x\"}";
    private static final ExecutorService CLIENTS = Executors.newVirtualThreadPerTaskExecutor();
    private static TestCluster cluster;
    private static GatedEngine engine;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(
                3,
                node -> Map.of(
                        "kvrouter.admission.requests-per-worker",
                        "1",
                        "kvrouter.admission.queue",
                        node == 2 ? "0" : "100"));
        engine = new GatedEngine(cluster.first(), "m", "w");
        cluster.awaitWorkers();
    }

    @BeforeEach
    void shut() {
        engine.shut();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        engine.open();
        for (TestRouter node : cluster.nodes()) {
            eventually("nobody inside", () -> shown(node).path("inside").asInt() == 0 && node.requests() == 0);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        engine.close();
        cluster.close();
        CLIENTS.shutdown();
        assertThat(CLIENTS.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    private static JsonNode shown(TestRouter node) {
        return node.managed("/router/admission");
    }

    private static Future<HttpResponse<String>> send(TestRouter node) {
        Callable<HttpResponse<String>> call = () -> node.complete(BODY);
        return CLIENTS.submit(call);
    }

    private static int status(Future<HttpResponse<String>> call) throws Exception {
        return call.get(60, TimeUnit.SECONDS).statusCode();
    }

    @Test
    void aWorkerThatMayHaveOneNeverSeesTwoFromAnyNodes() throws Exception {
        List<Future<HttpResponse<String>>> calls = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            calls.add(send(cluster.node(i % 2)));
        }
        engine.open();

        for (var call : calls) {
            assertThat(status(call)).isEqualTo(200);
        }
        assertThat(engine.most()).isOne();
        assertThat(engine.bodies()).hasSize(64);
    }

    /** Whoever had the permit last, it comes at once to the node that wants it. */
    @Test
    void everyNodeGetsThePermitThatNobodyUsesAlsoWithoutAQueue() throws Exception {
        engine.open();

        for (int i = 0; i < 30; i++) {
            TestRouter node = cluster.node(i % 3);
            eventually("it is served", () -> ask(node, "any").statusCode() == 200); // a stall of 250 ms is a 429
            eventually("its end is booked", () -> node.requests() == 0);
        }
    }

    @Test
    void aNodeWithoutAQueueRefusesWhatAnotherOneHasOnTheWorker() throws Exception {
        var running = send(cluster.node(0));
        eventually("it runs", () -> engine.now() == 1);

        var refused = cluster.node(2).complete(BODY);

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("at_capacity");
        assertThat(engine.most()).isOne();
        engine.open();
        assertThat(status(running)).isEqualTo(200);
    }

    /** The first node has the office: it is the oldest. */
    @Test
    void thoseWhoWaitOnTwoNodesTakeTurns() throws Exception {
        var running = send(cluster.node(0));
        eventually("it runs", () -> engine.now() == 1);
        List<Future<HttpResponse<String>>> calls = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            calls.add(send(cluster.node(0)));
        }
        var other = send(cluster.node(1));
        eventually("it waits", () -> waiting(cluster.node(0)) == 10 && waiting(cluster.node(1)) == 1);

        int served = 0;
        while (!other.isDone() && served < calls.size()) {
            int next = ++served + 1;
            engine.answer(1);
            eventually("the next runs", () -> engine.bodies().size() == next && engine.now() == 1);
        }

        assertThat(served).isLessThanOrEqualTo(6); // and not behind all that came before
        assertThat(status(running)).isEqualTo(200);
        assertThat(status(other)).isEqualTo(200);
        engine.open();
        for (var call : calls) {
            assertThat(status(call)).isEqualTo(200);
        }
    }

    private static int waiting(TestRouter node) {
        var waiting = shown(node).path("waiting");
        return waiting.path("at_door").asInt() + waiting.path("for_worker").asInt();
    }
}
