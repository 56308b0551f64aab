package io.kvrouter.http.node;

import static io.kvrouter.http.node.TestCluster.ask;
import static io.kvrouter.http.node.TestCluster.key;
import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import io.kvrouter.http.testing.Stalls;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A caller that may have twenty requests in flight, at three nodes. */
class CallerLimitTest {
    private static final int LIMIT = 20;
    private static final int NODES = 3;
    private static final int CLIENTS = 36;
    private static final int CLIENTS_A_NODE = CLIENTS / NODES;
    private static final String OF_LEAVING = "{\"model\":\"m\",\"prompt\":\"leaves\"}";
    private static final String KEYS =
            "callers { " + key("a") + "a.limits.requests-in-flight = " + LIMIT + "\n" + key("b") + "}";

    private static TestCluster cluster;
    private static TestEngine engine;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();

    @BeforeAll
    static void start() throws Exception {
        engine = new TestEngine("m");
        cluster = TestCluster.start(NODES, Map.of("kvrouter.access.keys", KEYS));
        cluster.first().register(engine.url(), "");
        cluster.awaitWorkers();
    }

    @AfterAll
    static void stop() {
        cluster.close();
        engine.close();
    }

    @BeforeEach
    void allPlacesAreFree() throws Exception {
        engine.follow(TestEngine.OK);
        for (TestRouter node : cluster.nodes()) {
            eventually("free", () -> status(node, "a") == 200);
        }
    }

    private static int status(TestRouter node, String caller) {
        return ask(node, caller).statusCode();
    }

    /** Watches how many requests it has at a time, but for what comes late of clients that left: their places are free. */
    private void engineTakesItsTime() {
        engine.follow((peer, request) -> {
            if (!request.text().equals(OF_LEAVING)) {
                peak.accumulateAndGet(running.incrementAndGet(), Math::max);
                Thread.sleep(150);
                running.decrementAndGet();
            }
            TestEngine.OK.run(peer, request);
        });
    }

    private static void engineWaitsFor(CountDownLatch latch) {
        engine.follow((peer, request) -> {
            latch.await(20, TimeUnit.SECONDS);
            TestEngine.OK.run(peer, request);
        });
    }

    /**
     * Asks again when it is answered, as long as requests are left, now and then at another node, so that what nodes claim
     * has to move; how often.
     */
    private static int asks(int client, AtomicInteger left, Queue<HttpResponse<String>> refused) throws Exception {
        int asked = 0;
        for (; left.get() > 0; asked++) {
            var answer = ask(cluster.node((client + asked) / CLIENTS_A_NODE % NODES), "a");
            if (answer.statusCode() == 200) {
                left.decrementAndGet();
            } else {
                refused.add(answer);
                Thread.sleep(100);
            }
        }
        return asked;
    }

    /**
     * As many clients as are always too many, and that leave the machine idle: news of claims come in the 125 ms for which
     * the bound is stated. A machine that holds threads up all the same can't show it.
     */
    @Test
    void itsLimitHoldsForAllNodesTogether() throws Exception {
        var left = new AtomicInteger(400);
        var refused = new ConcurrentLinkedQueue<HttpResponse<String>>();
        engineTakesItsTime();
        List<Callable<Integer>> clients = IntStream.range(0, CLIENTS)
                .<Callable<Integer>>mapToObj(client -> () -> asks(client, left, refused))
                .toList();
        try (var stalls = new Stalls();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var client : threads.invokeAll(clients)) {
                assertThat(client.get()).isPositive();
            }
            boolean newsInTime = stalls.longest().toMillis() < 50;
            assertThat(peak.get()).isBetween(LIMIT - 2, newsInTime ? LIMIT + NODES - 1 : LIMIT + LIMIT / 2);
        }
        assertThat(refused).isNotEmpty().allSatisfy(answer -> {
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("x-router-reason")).hasValue("caller_busy");
            assertThat(answer.headers().firstValue("retry-after")).hasValue("1");
        });
    }

    /** Holds its places at a node, all that this has for it. */
    private static void fill(TestRouter node, Executor threads) throws InterruptedException {
        var refused = new AtomicInteger();
        eventually("refused", () -> {
            threads.execute(() -> refused.addAndGet(status(node, "a") == 200 ? 0 : 1));
            return refused.get() > 0;
        });
    }

    @Test
    void otherCallersAreNotHeldUp() throws Exception {
        var latch = new CountDownLatch(1);
        engineWaitsFor(latch);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            fill(cluster.first(), threads);

            engine.follow(TestEngine.OK);
            assertThat(status(cluster.first(), "b")).isEqualTo(200);
            latch.countDown();
        }
    }

    @Test
    void aClientThatLeavesGivesItsPlaceBack() throws Exception {
        var latch = new CountDownLatch(1);
        engineWaitsFor(latch);
        for (int i = 0; i < 2 * LIMIT; i++) {
            try (Peer client = Peer.connect(cluster.first().apiPort())) {
                client.send("POST /v1/completions HTTP/1.1\r\nHost: r\r\nAuthorization: Bearer a\r\n"
                        + "Content-Type: application/json\r\nContent-Length: " + OF_LEAVING.length() + "\r\n\r\n"
                        + OF_LEAVING);
                client.reset();
            }
        }
        latch.countDown();

        engine.follow(TestEngine.OK);
        eventually("free", () -> cluster.nodes().stream().allMatch(node -> status(node, "a") == 200));
    }
}
