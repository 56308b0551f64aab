package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.access.KeyHash;
import io.kvrouter.http.testing.Peer;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A caller that may have twenty requests in flight, at three nodes. */
class CallerLimitTest {
    private static final int LIMIT = 20;
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"a\"}";
    private static final String KEYS =
            "callers { a { keys = [\"" + KeyHash.of("a").text() + "\"], limits.requests-in-flight = " + LIMIT
                    + " }, b.keys = [\"" + KeyHash.of("b").text() + "\"] }";

    private static final List<TestRouter> NODES = new ArrayList<>();
    private static TestEngine engine;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();

    @BeforeAll
    static void start() throws Exception {
        engine = new TestEngine("m");
        for (int node = 0; node < 3; node++) {
            NODES.add(
                    TestRouter.start(settings(node == 0 ? "" : NODES.getFirst().joinAddress())));
        }
        NODES.getFirst().register(engine.url(), "");
        for (TestRouter node : NODES) {
            eventually("known", () -> node.managed("/workers").toString().contains("\"up\""));
        }
    }

    private static Map<String, String> settings(String join) {
        return Map.of(
                "pekko.cluster.jmx.multi-mbeans-in-same-jvm", "on",
                "kvrouter.join", join,
                "kvrouter.access.keys", KEYS);
    }

    @AfterAll
    static void stop() {
        NODES.reversed().forEach(TestRouter::close);
        engine.close();
    }

    @BeforeEach
    void allPlacesAreFree() throws Exception {
        engine.follow(TestEngine.OK);
        for (TestRouter node : NODES) {
            eventually("free", () -> status(node, "a") == 200);
        }
    }

    private static int status(TestRouter node, String key) {
        return unchecked(node, key).statusCode();
    }

    private static HttpResponse<String> unchecked(TestRouter node, String key) {
        try {
            return node.complete(BODY, "Authorization", "Bearer " + key);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Answers when the latch is down, and watches how many wait for it. */
    private void engineWaitsFor(CountDownLatch latch) {
        engine.follow((peer, request) -> {
            peak.accumulateAndGet(running.incrementAndGet(), Math::max);
            latch.await(20, TimeUnit.SECONDS);
            running.decrementAndGet();
            TestEngine.OK.run(peer, request);
        });
    }

    /** Asks all nodes, without waiting for answers, until so many were refused. */
    private static void askUntilRefused(int times, Queue<HttpResponse<String>> refused, Executor threads)
            throws InterruptedException {
        eventually("refused " + times + " times", () -> {
            for (TestRouter node : NODES) {
                threads.execute(() -> {
                    var answer = unchecked(node, "a");
                    if (answer.statusCode() != 200) {
                        refused.add(answer);
                    }
                });
            }
            return refused.size() >= times;
        });
    }

    @Test
    void itsLimitHoldsForAllNodesTogether() throws Exception {
        var latch = new CountDownLatch(1);
        var refused = new ConcurrentLinkedQueue<HttpResponse<String>>();
        engineWaitsFor(latch);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            askUntilRefused(1_000, refused, threads);
            latch.countDown();
        }

        // The exact bound is SharedCapsTest's: here a full machine may keep news for longer than that allows.
        assertThat(peak.get()).isBetween(LIMIT - 2, LIMIT + LIMIT / 2);
        assertThat(refused).allSatisfy(answer -> {
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("x-router-reason")).hasValue("caller_busy");
            assertThat(answer.headers().firstValue("retry-after")).hasValue("1");
        });
    }

    @Test
    void otherCallersAreNotHeldUp() throws Exception {
        var latch = new CountDownLatch(1);
        engineWaitsFor(latch);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            askUntilRefused(10, new ConcurrentLinkedQueue<>(), threads);

            engine.follow(TestEngine.OK);
            assertThat(status(NODES.getFirst(), "b")).isEqualTo(200);
            latch.countDown();
        }
    }

    @Test
    void aClientThatLeavesGivesItsPlaceBack() throws Exception {
        var latch = new CountDownLatch(1);
        engineWaitsFor(latch);
        for (int i = 0; i < 2 * LIMIT; i++) {
            try (Peer client = Peer.connect(NODES.getFirst().apiPort())) {
                client.send("POST /v1/completions HTTP/1.1\r\nHost: r\r\nAuthorization: Bearer a\r\n"
                        + "Content-Type: application/json\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY);
                client.reset();
            }
        }
        latch.countDown();

        engine.follow(TestEngine.OK);
        eventually("free", () -> NODES.stream().allMatch(node -> status(node, "a") == 200));
    }
}
