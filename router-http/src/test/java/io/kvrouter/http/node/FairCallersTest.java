package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.access.KeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three nodes and a worker that may have three requests, a greedy caller with 50 clients and another one with two. */
class FairCallersTest {
    private static final int GREEDY = 50;
    private static final int STEPS = 48;
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"x\"}";
    private static final String KEYS =
            "callers { " + key("greedy") + key("modest") + key("heavy") + " heavy.share = 3 }";

    private static final List<TestRouter> NODES = new ArrayList<>();
    private static GatedEngine engine;

    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Served> served = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    private record Served(TestRouter node, String caller) {}

    private static String key(String name) {
        return name + ".keys = [\"" + KeyHash.of(name).text() + "\"]\n";
    }

    @BeforeAll
    static void start() throws Exception {
        for (int node = 0; node < 3; node++) {
            NODES.add(
                    TestRouter.start(settings(node == 0 ? "" : NODES.getFirst().joinAddress())));
        }
        engine = new GatedEngine(NODES.getFirst(), "m", "w");
        for (TestRouter node : NODES) {
            eventually("known", () -> node.managed("/workers").toString().contains("\"up\""));
        }
    }

    @BeforeEach
    void greedyClientsFillTheNodes() throws Exception {
        engine.shut();
        for (int i = 0; i < GREEDY; i++) {
            asksAllTheTime(NODES.get(i % NODES.size()), "greedy");
        }
        eventually("full", () -> engine.now() == 3 && waiting() == GREEDY - 3);
    }

    private static Map<String, String> settings(String join) {
        return Map.of(
                "pekko.cluster.jmx.multi-mbeans-in-same-jvm", "on",
                "kvrouter.join", join,
                "kvrouter.admission.requests-per-worker", "3",
                "kvrouter.admission.queue", "100",
                "kvrouter.admission.queue-timeout", "10m",
                "kvrouter.access.keys", KEYS);
    }

    @AfterAll
    static void stop() {
        engine.close();
        NODES.reversed().forEach(TestRouter::close);
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
                var answer = node.complete(BODY, "Authorization", "Bearer " + caller);
                assertThat(answer.statusCode()).isEqualTo(200);
                served.add(new Served(node, caller));
            }
            return null;
        });
    }

    private int waiting() {
        return NODES.stream()
                .map(node -> node.managed("/router/admission").path("waiting"))
                .mapToInt(waiting -> waiting.path("at_door").asInt()
                        + waiting.path("for_worker").asInt())
                .sum();
    }

    /** The worker answers one after the other, and each client asks again before the next. */
    private void serve(int all) throws Exception {
        for (int step = 1; step <= STEPS; step++) {
            int by = step;
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
        asksAllTheTime(NODES.get(0), "modest");
        asksAllTheTime(NODES.get(1), "modest");
        eventually("both wait", () -> waiting() == GREEDY - 1);

        serve(GREEDY + 2);

        for (TestRouter node :
                NODES.subList(0, 2)) { // first who was inside already, of whom all may be here; then in turns
            var turns = servedAt(node);
            int first = turns.indexOf("modest");
            assertThat(first).isBetween(1, 3);
            assertThat(turns).hasSizeGreaterThan(8);
            for (int i = first; i < turns.size(); i++) {
                assertThat(turns.get(i)).isEqualTo((i - first) % 2 == 0 ? "modest" : "greedy");
            }
        }
        assertThat(servedAt(NODES.get(2))).containsOnly("greedy");
    }

    @Test
    void sharesOfKeysCount() throws Exception {
        asksAllTheTime(NODES.get(0), "heavy");
        asksAllTheTime(NODES.get(0), "heavy");
        eventually("both wait", () -> waiting() == GREEDY - 1);

        serve(GREEDY + 2);

        var all = servedAt(NODES.get(0));
        var turns = all.subList(all.indexOf("heavy"), all.size()); // before come those that were inside
        long greedy = turns.stream().filter("greedy"::equals).count();
        assertThat(turns).hasSizeGreaterThan(8);
        assertThat(turns.size() - greedy).isBetween(3 * greedy - 2, 3 * greedy + 5);
    }
}
