package io.kvrouter.http.node;

import static io.kvrouter.http.node.TestCluster.ask;
import static io.kvrouter.http.node.TestCluster.key;
import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Callers with a limit of tokens per minute, at three nodes. A minute is longer than these tests. */
class CallerTokensTest {
    private static final int EACH = 100;
    private static final String USAGE = "{\"usage\":{\"prompt_tokens\":40,\"completion_tokens\":60}}";
    private static final AtomicInteger SERVED = new AtomicInteger();
    private static TestCluster cluster;
    private static TestEngine engine;

    @BeforeAll
    static void start() throws Exception {
        engine = new TestEngine("m");
        cluster = TestCluster.start(
                3,
                Map.of(
                        "kvrouter.access.keys",
                        "callers { " + limited("a") + limited("b") + limited("c") + key("free") + "}"));
        cluster.first().register(engine.url(), "");
        cluster.awaitWorkers();
        engine.follow((peer, request) -> {
            SERVED.incrementAndGet();
            TestEngine.answering("200 OK", "Content-Type: application/json\r\n", USAGE)
                    .run(peer, request);
        });
    }

    private static String limited(String caller) {
        return key(caller) + caller + ".limits.tokens-per-minute = " + 10 * EACH + "\n";
    }

    @AfterAll
    static void stop() {
        cluster.close();
        engine.close();
    }

    private static int untilRefused(TestRouter node, String key) {
        int served = 0;
        while (ask(node, key).statusCode() == 200) {
            served++;
        }
        return served;
    }

    @Test
    void itsOwnTokensCountAtOnce() {
        int served = untilRefused(cluster.first(), "a");

        assertThat(served).isEqualTo(10);
        var refused = ask(cluster.first(), "a");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("x-router-reason")).hasValue("caller_tokens_spent");
        assertThat(refused.headers().firstValueAsLong("retry-after").orElse(0)).isBetween(1L, 61L);
    }

    @Test
    void whatItUsedAtOneNodeCountsAtAllOfThem() throws Exception {
        untilRefused(cluster.first(), "b");
        int before = SERVED.get();

        for (TestRouter node : cluster.nodes()) {
            eventually("refused", () -> ask(node, "b").statusCode() == 429);
        }

        assertThat(SERVED.get() - before).isLessThan(2 * 10); // else each node has counted for itself
    }

    @Test
    void aRefusedRequestReachesNoWorkerAndOtherCallersAreNotHeldUp() {
        untilRefused(cluster.node(2), "c");
        int served = SERVED.get();

        assertThat(ask(cluster.node(2), "c").statusCode()).isEqualTo(429);
        assertThat(SERVED.get()).isEqualTo(served);
        assertThat(ask(cluster.node(2), "free").statusCode()).isEqualTo(200);
    }
}
