package io.kvrouter.http.node;

import static io.kvrouter.http.node.TestCluster.ask;
import static io.kvrouter.http.node.TestCluster.key;
import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three nodes and a worker that may have three requests, a greedy caller with 50 clients and another one with two. */
class FairCallersTest {
    private static final int GREEDY = 50;
    private static final int STEPS = 96;
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(30);
    private static final String KEYS =
            "callers { " + key("greedy") + key("modest") + key("heavy") + " heavy.share = 3 }";

    private static TestCluster cluster;
    private static GatedEngine engine;

    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Served> served = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    private record Served(TestRouter node, String caller) {}

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(
                3,
                Map.of(
                        "kvrouter.admission.requests-per-worker", "3",
                        "kvrouter.admission.queue", "100",
                        "kvrouter.admission.queue-timeout", "10m",
                        "kvrouter.access.keys", KEYS));
        engine = new GatedEngine(cluster.first(), "m", "w");
        cluster.awaitWorkers();
    }

    @BeforeEach
    void greedyClientsFillTheNodes() throws Exception {
        engine.shut();
        for (int i = 0; i < GREEDY; i++) {
            asksAllTheTime(cluster.node(i % 3), "greedy");
        }
        eventually("full", () -> engine.now() == 3 && waiting() == GREEDY - 3);
    }

    @AfterAll
    static void stop() {
        engine.close();
        cluster.close();
    }

    @AfterEach
    void clientsGo() throws Exception {
        stopped = true;
        engine.open();
        clients.shutdown();
        assertThat(clients.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    private void asksAllTheTime(TestRouter node, String caller) {
        var unused = clients.submit(() -> {
            while (!stopped) {
                var answer = ask(node, caller);
                assertThat(answer.statusCode()).isEqualTo(200);
                served.add(new Served(node, caller));
            }
            return null;
        });
    }

    private int waiting() {
        return cluster.nodes().stream()
                .map(node -> node.managed("/router/admission").path("waiting"))
                .mapToInt(waiting -> waiting.path("at_door").asInt()
                        + waiting.path("for_worker").asInt())
                .sum();
    }

    /**
     * The worker answers one after the other, and each client asks again before the next. Shares are of time, so each takes
     * a time beside which what the test itself takes does not count.
     */
    private void serve(int all) throws Exception {
        for (int step = 1; step <= STEPS; step++) {
            int by = step;
            LockSupport.parkNanos(STEP_NANOS);
            engine.answer(1);
            eventually("served", () -> served.size() == by && engine.now() == 3);
            if (!served.getLast().caller().equals("greedy")) { // of those more than enough wait
                eventually("asks again", () -> waiting() == all - 3);
            }
        }
    }

    private List<String> servedAt(TestRouter node) {
        return served.stream()
                .filter(one -> one.node().equals(node))
                .map(Served::caller)
                .toList();
    }

    @Test
    void whoHasTwoClientsIsServedAsOftenAsWhoHasFifty() throws Exception {
        asksAllTheTime(cluster.node(0), "modest");
        asksAllTheTime(cluster.node(1), "modest");
        eventually("both wait", () -> waiting() == GREEDY - 1);

        serve(GREEDY + 2);

        for (TestRouter node :
                cluster.nodes().subList(0, 2)) { // first who was inside already, of whom all may be here; then in turns
            var turns = servedAt(node);
            int first = turns.indexOf("modest");
            assertThat(first).isBetween(1, 3);
            assertThat(turns).hasSizeGreaterThan(8);
            for (int i = first; i < turns.size(); i++) {
                assertThat(turns.get(i)).isEqualTo((i - first) % 2 == 0 ? "modest" : "greedy");
            }
        }
        assertThat(servedAt(cluster.node(2))).containsOnly("greedy");
    }

    @Test
    void sharesOfKeysCount() throws Exception {
        asksAllTheTime(cluster.node(0), "heavy");
        asksAllTheTime(cluster.node(0), "heavy");
        eventually("both wait", () -> waiting() == GREEDY - 1);

        serve(GREEDY + 2);

        var all = servedAt(cluster.node(0));
        var turns = all.subList(all.size() / 2, all.size()); // before it gets what others had while it waited at first
        long greedy = turns.stream().filter("greedy"::equals).count();
        assertThat(turns).hasSizeGreaterThan(8);
        assertThat(turns.size() - greedy).isBetween(3 * greedy - 4, 3 * greedy + 4);
    }
}
