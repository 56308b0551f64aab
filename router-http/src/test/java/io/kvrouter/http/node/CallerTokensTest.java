package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.access.KeyHash;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Callers with a limit of tokens per minute, at three nodes. A minute is longer than these tests. */
class CallerTokensTest {
    private static final int EACH = 100;
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"a\"}";
    private static final String USAGE = "{\"usage\":{\"prompt_tokens\":40,\"completion_tokens\":60}}";
    private static final AtomicInteger SERVED = new AtomicInteger();
    private static final List<TestRouter> NODES = new ArrayList<>();
    private static TestEngine engine;

    @BeforeAll
    static void start() throws Exception {
        engine = new TestEngine("m");
        for (int node = 0; node < 3; node++) {
            NODES.add(
                    TestRouter.start(settings(node == 0 ? "" : NODES.getFirst().joinAddress())));
        }
        NODES.getFirst().register(engine.url(), "");
        engine.follow((peer, request) -> {
            SERVED.incrementAndGet();
            TestEngine.answering("200 OK", "Content-Type: application/json\r\n", USAGE)
                    .run(peer, request);
        });
        for (TestRouter node : NODES) {
            eventually("known", () -> node.managed("/workers").toString().contains("\"up\""));
        }
    }

    private static Map<String, String> settings(String join) {
        return Map.of(
                "pekko.cluster.jmx.multi-mbeans-in-same-jvm",
                "on",
                "kvrouter.join",
                join,
                "kvrouter.access.keys",
                "callers { " + caller("a") + caller("b") + caller("c") + "free.keys = [\""
                        + KeyHash.of("free").text() + "\"] }");
    }

    private static String caller(String name) {
        return name + " { keys = [\"" + KeyHash.of(name).text() + "\"], limits.tokens-per-minute = " + 10 * EACH
                + " }\n";
    }

    @AfterAll
    static void stop() {
        NODES.reversed().forEach(TestRouter::close);
        engine.close();
    }

    private static HttpResponse<String> ask(TestRouter node, String key) {
        try {
            return node.complete(BODY, "Authorization", "Bearer " + key);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
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
        int served = untilRefused(NODES.getFirst(), "a");

        assertThat(served).isEqualTo(10);
        var refused = ask(NODES.getFirst(), "a");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("x-router-reason")).hasValue("caller_tokens_spent");
        assertThat(refused.headers().firstValueAsLong("retry-after").orElse(0)).isBetween(1L, 61L);
    }

    @Test
    void whatItUsedAtOneNodeCountsAtAllOfThem() throws Exception {
        untilRefused(NODES.getFirst(), "b");
        int before = SERVED.get();

        for (TestRouter node : NODES) {
            eventually("refused", () -> ask(node, "b").statusCode() == 429);
        }

        assertThat(SERVED.get() - before).isLessThan(2 * 10); // else each node has counted for itself
    }

    @Test
    void aRefusedRequestReachesNoWorkerAndOtherCallersAreNotHeldUp() {
        untilRefused(NODES.getLast(), "c");
        int served = SERVED.get();

        assertThat(ask(NODES.getLast(), "c").statusCode()).isEqualTo(429);
        assertThat(SERVED.get()).isEqualTo(served);
        assertThat(ask(NODES.getLast(), "free").statusCode()).isEqualTo(200);
    }
}
