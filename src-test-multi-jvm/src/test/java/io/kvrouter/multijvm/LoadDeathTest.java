package io.kvrouter.multijvm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a killed node had in flight leaves the others' view as it is downed, whole, and nothing else changes. */
@SuppressWarnings("NullAway.Init") // JUnit sets them
class LoadDeathTest {
    private static final Logger LOG = LoggerFactory.getLogger(LoadDeathTest.class);
    private static final int NODES = 4;
    private static final int WORKERS = 4;
    private static final int OF_THE_VICTIM = 1_000;
    private static final int OF_EACH_OTHER = 40;

    private static NodeCluster cluster;

    @BeforeAll
    static void start() throws Throwable {
        cluster = NodeCluster.start("load-death", Collections.nCopies(NODES, Map.of()));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void theLoadOfAKilledNodeGoesAsItIsDownedAndThatOfTheOthersStays() throws Throwable {
        NodeProcess victim = cluster.node(2);
        var others = cluster.without(victim);
        try (var workers = WorkerGroup.start(cluster, "load-death", WORKERS, WORKERS);
                var clients = new Clients()) {
            clients.ask(workers, victim, OF_THE_VICTIM);
            for (NodeProcess other : others) {
                clients.ask(workers, other, OF_EACH_OTHER);
            }
            awaitLoads(victim, others);
            Map<String, JsonNode> before = loads(others);

            victim.kill();

            watchItGo(victim, others, before);
            Management.onEach(others, node -> assertThat(node.members()).hasSize(NODES - 1));
            assertThat(loads(others)).isEqualTo(before);
            Management.onEach(others, node -> assertThat(total(node, workers)).isEqualTo((NODES - 1) * OF_EACH_OTHER));
            assertThat(workers.session("after").through(others.getFirst()).status())
                    .isEqualTo(200);
            clients.leave();
            Management.onEach(others, node -> assertThat(total(node, workers)).isZero());
        }
    }

    private static void watchItGo(NodeProcess victim, List<NodeProcess> others, Map<String, JsonNode> before)
            throws Exception {
        long began = System.nanoTime();
        victim.awaitExit();
        long limit = began + Eventually.PATIENCE.toNanos();
        while (!gone(victim, others)) {
            assertThat(loads(others)).isEqualTo(before);
            assertThat(System.nanoTime()).as("it still counts").isLessThan(limit);
        }
        LOG.info("the load of the dead node was gone after {} ms", (System.nanoTime() - began) / 1_000_000);
    }

    private static void awaitLoads(NodeProcess victim, List<NodeProcess> others) throws Throwable {
        Management.onEach(
                cluster.nodes(), node -> assertThat(node.requestsOf(victim)).isEqualTo(OF_THE_VICTIM));
        for (NodeProcess other : others) {
            Management.onEach(
                    cluster.nodes(), node -> assertThat(node.requestsOf(other)).isEqualTo(OF_EACH_OTHER));
        }
    }

    /** Whether no node sees it; as long as one does, it sees all of it. */
    private static boolean gone(NodeProcess victim, List<NodeProcess> others) throws IOException {
        boolean gone = true;
        for (NodeProcess other : others) {
            long seen = Management.of(other).requestsOf(victim);
            assertThat(seen).isIn(0L, (long) OF_THE_VICTIM);
            gone &= seen == 0;
        }
        return gone;
    }

    /** What each of them has booked, as each of them sees it. */
    private static Map<String, JsonNode> loads(List<NodeProcess> nodes) throws IOException {
        Map<String, JsonNode> all = new HashMap<>();
        for (NodeProcess node : nodes) {
            for (NodeProcess other : nodes) {
                all.put(other + " at " + node, Management.of(node).loadOf(other));
            }
        }
        return all;
    }

    private static long total(Management node, WorkerGroup workers) throws IOException {
        long sum = 0;
        for (String worker : workers.ids()) {
            sum += node.requests(worker);
        }
        return sum;
    }

    /** Requests whose answers never come. */
    private static final class Clients implements AutoCloseable {
        private final List<Socket> sockets = new ArrayList<>();

        void ask(WorkerGroup workers, NodeProcess node, int count) throws IOException {
            for (int i = 0; i < count; i++) {
                Chat chat = workers.session(node + "-" + i).with("x-sim-stall", "1");
                var socket = new Socket(node.api().getHost(), node.api().getPort());
                sockets.add(socket);
                socket.getOutputStream().write(chat.http().getBytes(UTF_8));
            }
        }

        @Override
        public void close() throws IOException {
            leave();
        }

        void leave() throws IOException {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
