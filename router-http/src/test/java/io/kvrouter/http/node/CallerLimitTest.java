package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.access.KeyHash;
import io.kvrouter.http.testing.Peer;
import java.net.http.HttpResponse;
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

/** A caller that may have four requests in flight, at two nodes. */
class CallerLimitTest {
    private static final int LIMIT = 4;
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"a\"}";
    private static final String KEYS = "callers { a { keys = [\"" + KeyHash.of("a").text()
            + "\"], limits.requests-in-flight = " + LIMIT + " }, b.keys = [\"" + KeyHash.of("b").text() + "\"] }";

    private static TestRouter here;
    private static TestRouter there;
    private static TestEngine engine;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();

    @BeforeAll
    static void start() throws Exception {
        here = TestRouter.start(settings(""));
        there = TestRouter.start(settings(here.joinAddress()));
        engine = new TestEngine("m");
        here.register(engine.url(), "");
        eventually("known there", () -> there.managed("/workers").toString().contains("\"up\""));
    }

    private static Map<String, String> settings(String join) {
        return Map.of(
                "pekko.cluster.jmx.multi-mbeans-in-same-jvm", "on",
                "kvrouter.join", join,
                "kvrouter.access.keys", KEYS);
    }

    @AfterAll
    static void stop() {
        there.close();
        here.close();
        engine.close();
    }

    @BeforeEach
    void allPlacesAreFree() throws Exception {
        engine.follow(TestEngine.OK);
        for (TestRouter node : List.of(here, there)) {
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

    /** Asks both nodes, without waiting for answers, until so many were refused. */
    private static void askUntilRefused(int times, Queue<HttpResponse<String>> refused, Executor threads)
            throws InterruptedException {
        eventually("refused " + times + " times", () -> {
            for (TestRouter node : List.of(here, there)) {
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
    void itsLimitHoldsForBothNodesTogether() throws Exception {
        var latch = new CountDownLatch(1);
        var refused = new ConcurrentLinkedQueue<HttpResponse<String>>();
        engineWaitsFor(latch);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            askUntilRefused(200, refused, threads);
            latch.countDown();
        }

        assertThat(peak.get()).isBetween(LIMIT - 1, LIMIT + 1);
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
            assertThat(status(here, "b")).isEqualTo(200);
            latch.countDown();
        }
    }

    @Test
    void aClientThatLeavesGivesItsPlaceBack() throws Exception {
        var latch = new CountDownLatch(1);
        engineWaitsFor(latch);
        for (int i = 0; i < 5 * LIMIT; i++) {
            try (Peer client = Peer.connect(here.apiPort())) {
                client.send("POST /v1/completions HTTP/1.1\r\nHost: r\r\nAuthorization: Bearer a\r\n"
                        + "Content-Type: application/json\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY);
                client.reset();
            }
        }
        latch.countDown();

        engine.follow(TestEngine.OK);
        eventually("free", () -> status(here, "a") == 200 && status(there, "a") == 200);
    }
}
