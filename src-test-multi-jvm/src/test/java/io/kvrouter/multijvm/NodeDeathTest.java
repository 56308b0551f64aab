package io.kvrouter.multijvm;

import static io.kvrouter.multijvm.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.multijvm.Chat.Open;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedFleet;
import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Conversations go on when a node is killed: no turn waits for the fail-over, and the dead node's load is gone. */
@SuppressWarnings("NullAway.Init") // JUnit sets them
class NodeDeathTest {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDeathTest.class);
    private static final int CONVERSATIONS = 50;
    private static final int NODES = 3;
    /** Detection, stable-after and removal margin take twice as long at least. */
    private static final long LONGEST_WAIT_MS = 5_000;

    private static SimulatedFleet workers;
    private static NodeCluster cluster;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<NodeProcess> doomed = new AtomicReference<>();
    private final List<Conversation> conversations =
            IntStream.range(0, CONVERSATIONS).mapToObj(Conversation::new).toList();

    @BeforeAll
    static void start() throws Throwable {
        workers = SimulatedFleet.start(3, 0, SimSettings.DEFAULT.withEngine(EngineSettings.DEFAULT.withSpeed(1, 0.2)));
        var settings = Map.of(
                "kvrouter.worker-urls",
                workers.urls().stream().map(URI::toString).collect(Collectors.joining(",")));
        cluster = NodeCluster.start("death", Collections.nCopies(NODES, settings));
        Management.onEach(
                cluster.nodes(), node -> assertThat(node.workers().values()).containsExactly("up", "up", "up"));
    }

    @AfterAll
    static void stop() {
        cluster.close();
        workers.close();
    }

    @Test
    void conversationsOutliveTheNodeThatIsKilled() throws Throwable {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                List<Future<?>> running =
                        conversations.stream().<Future<?>>map(threads::submit).toList();
                awaitBound();
                NodeProcess victim = mostHosting();
                Management.onEach(
                        cluster.nodes(),
                        node -> assertThat(node.requestsOf(victim)).isPositive());

                killAndAwaitRemoval(victim);

                awaitTurns(2);
                over.set(true);
                for (Future<?> one : running) {
                    one.get();
                }
            } finally {
                over.set(true);
            }
        }
        judge();
    }

    /** The node that hosts the most of the sessions' actors: a quarter of them at least. */
    private static NodeProcess mostHosting() throws Exception {
        Map<String, Long> hosted = IntStream.range(0, CONVERSATIONS)
                .mapToObj(NodeDeathTest::home)
                .collect(Collectors.groupingBy(address -> address, Collectors.counting()));
        NodeProcess most = cluster.nodes().stream()
                .max(Comparator.comparing(node -> hosted.getOrDefault(node.address(), 0L)))
                .orElseThrow();
        assertThat(hosted.get(most.address())).as("actors by node: %s", hosted).isGreaterThan(CONVERSATIONS / 4);
        return most;
    }

    private static String home(int conversation) {
        try {
            var chat = Chat.ofSession("c" + conversation);
            String node = Management.of(cluster.node(0))
                    .session("c" + conversation, chat)
                    .path("node")
                    .asText();
            return node.substring(node.indexOf('@') + 1);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void killAndAwaitRemoval(NodeProcess victim) throws Throwable {
        long killed = System.nanoTime();
        String address = victim.address();
        doomed.set(victim);
        victim.kill();
        victim.awaitExit();
        var others = cluster.without(victim);
        Management.onEach(
                others,
                node -> assertThat(node.members()).hasSize(NODES - 1).noneMatch(it -> it.endsWith("@" + address)));
        LOG.info("the dead node was removed after {} ms", msSince(killed));
        Management.onEach(
                others,
                node -> assertThat(node.requestsOf(victim))
                        .as("load of the dead")
                        .isZero());
    }

    /** The first turns on a cold cluster may come before their shards have homes, so the first one need not do. */
    private void awaitBound() throws Throwable {
        eventually(() -> {
            assertThat(failures()).isEmpty();
            assertThat(conversations).allMatch(it -> it.turns.stream().anyMatch(Turn::pinned));
        });
    }

    /** Waits until each conversation is so many turns further. */
    private void awaitTurns(int more) throws Throwable {
        List<Integer> before =
                conversations.stream().map(it -> it.turns.size() + more).toList();
        eventually(() -> {
            assertThat(failures()).isEmpty();
            for (int i = 0; i < CONVERSATIONS; i++) {
                assertThat(conversations.get(i).turns.size())
                        .as("turns of %s", i)
                        .isGreaterThanOrEqualTo(before.get(i));
            }
        });
    }

    private List<String> failures() {
        return conversations.stream()
                .map(it -> it.failures)
                .flatMap(Collection::stream)
                .toList();
    }

    private void judge() {
        assertThat(failures()).isEmpty();
        long longest = conversations.stream()
                .flatMap(it -> it.turns.stream())
                .mapToLong(Turn::headMs)
                .max()
                .orElseThrow();
        LOG.info("the slowest of all turns waited {} ms for its head", longest);
        assertThat(longest).isLessThan(LONGEST_WAIT_MS);
        for (Conversation conversation : conversations) {
            assertThat(conversation.turns.stream().dropWhile(turn -> !turn.pinned()))
                    .as("turns of %s once it is bound", conversation.id)
                    .allMatch(Turn::pinned);
            assertThat(conversation.turns)
                    .extracting(Turn::worker)
                    .containsOnly(conversation.turns.peek().worker());
            assertThat(servedBy(conversation.id))
                    .as("ports that served %s", conversation.id)
                    .hasSize(1);
        }
    }

    private static Set<Integer> servedBy(String session) {
        return workers.workers().stream()
                .filter(worker -> worker.requests().stream()
                        .anyMatch(request -> session.equals(
                                request.path("headers").path("x-session-id").asText())))
                .map(worker -> worker.port())
                .collect(Collectors.toSet());
    }

    private static long msSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }

    private record Turn(String worker, String decision, long headMs) {
        boolean pinned() {
            return decision.equals("pinned");
        }
    }

    /** A client that streams turn after turn through one node, and through another one once that is dead. */
    private final class Conversation implements Runnable {
        private final String id;
        private final ConcurrentLinkedQueue<Turn> turns = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        private NodeProcess node;

        Conversation(int index) {
            id = "c" + index;
            node = cluster.node(index % NODES);
        }

        @Override
        public void run() {
            while (!over.get() && failures.isEmpty()) {
                try {
                    turn();
                } catch (IOException | InterruptedException e) {
                    elsewhereOrFail(e);
                }
            }
        }

        private void turn() throws IOException, InterruptedException {
            long sent = System.nanoTime();
            try (Open stream = Chat.ofSession(id).streaming(40).open(node)) {
                long headMs = msSince(sent);
                var head = stream.head();
                if (head.status() != 200 || !stream.finishes()) {
                    throw new IOException("answer " + head.status() + " or a stream cut off");
                }
                turns.add(new Turn(head.worker(), head.decision(), headMs));
            }
        }

        private void elsewhereOrFail(Exception failure) {
            if (node.equals(doomed.get())) {
                node = cluster.without(node).get(turns.size() % (NODES - 1));
            } else {
                failures.add(id + " through " + node + ": " + failure);
            }
        }
    }
}
