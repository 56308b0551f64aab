package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.Peer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A node that the others take for dead, and that lives: it was cut off, or stood still. */
class DownedNodeTest {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"x\"}";
    private static final int CAP = 3;
    private static final Map<String, String> SETTINGS = Map.of(
            "kvrouter.admission.requests-per-worker", "" + CAP,
            "kvrouter.admission.queue-timeout", "2m",
            "pekko.management.http.route-providers-read-only", "false");

    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    /** No request ever ends by itself. */
    private void endless(Peer peer) throws Exception {
        peer.socket().setSoTimeout(0);
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        try {
            peer.awaitClosed();
        } finally {
            now.decrementAndGet();
        }
    }

    @Test
    void itsPermitsGoToTheOthersWhenItHasEndedWhatItRan() throws Exception {
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
        try (var cluster = TestCluster.start(3, SETTINGS);
                var engine = new TestEngine("m")) {
            engine.follow((peer, request) -> endless(peer));
            cluster.first().register(engine.url(), "");
            cluster.awaitWorkers();
            List<TestRouter> nodes = cluster.nodes();
            for (TestRouter node : nodes) {
                send(clients, node, 1);
                eventually("one runs", () -> node.requests() == 1);
            }
            nodes.forEach(node -> send(clients, node, CAP));

            TestRouter downed = nodes.getLast();
            down(cluster.first(), downed);

            eventually("theirs", () -> nodes.get(0).requests() + nodes.get(1).requests() == CAP);
            eventually("all run", () -> now.get() == CAP);
            assertThat(most).hasValue(CAP);
        } finally {
            clients.shutdownNow();
            assertThat(clients.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void send(ExecutorService clients, TestRouter node, int many) {
        Callable<Object> call = () -> node.complete(BODY);
        for (int i = 0; i < many; i++) {
            var answer = clients.submit(call);
            assertThat(answer).isNotNull();
        }
    }

    private static void down(TestRouter by, TestRouter node) throws Exception {
        var answer = by.management(
                "PUT",
                "/cluster/members/kvrouter@" + node.joinAddress(),
                "operation=Down",
                "Content-Type",
                "application/x-www-form-urlencoded");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
}
