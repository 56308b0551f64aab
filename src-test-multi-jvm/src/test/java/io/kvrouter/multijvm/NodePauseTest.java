package io.kvrouter.multijvm;

import static io.kvrouter.multijvm.Chat.ENDLESS;
import static io.kvrouter.multijvm.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.multijvm.Chat.Open;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node that stands still, as a process under a debugger or a machine that is moved does, and then goes on. */
@SuppressWarnings("NullAway.Init") // JUnit sets them
class NodePauseTest {
    private static final Logger LOG = LoggerFactory.getLogger(NodePauseTest.class);
    private static final int PAUSED = 1;
    private static final int NODES = 3;
    private static final int CONVERSATIONS = 20;
    private static final int SESSIONS = 12;
    private static final double SPEED = 0.2;
    /** A node tells its load every second, changed or not. */
    private static final long STALE_MS = 2_500;

    /** The exit code of a node that the others have downed. */
    private static final int DOWNED = 17;

    private static NodeCluster cluster;

    @BeforeAll
    static void start() throws Throwable {
        cluster = NodeCluster.start("pause", Collections.nCopies(NODES, Map.of()));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void forFourSecondsItStaysAMemberAndIsRightAgainAtOnce() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "breath", 3, 3, SPEED);
                var conversations = Conversations.start(cluster, workers, CONVERSATIONS)) {
            NodeProcess paused = cluster.node(PAUSED);
            Map<String, String> homes = firstTurns(workers, "before", cluster.nodes());
            conversations.leave(paused);
            try (Open stream = workers.session("open").streaming(200).open(paused)) {
                awaitLoad(paused, 1);

                stand(paused, 4_000, () -> {
                    homes.putAll(firstTurns(workers, "during", cluster.without(paused)));
                    awaitStaleLoad(paused, 1);
                });

                Management.onEach(
                        cluster.without(paused),
                        node -> assertThat(node.ageOf(paused)).isLessThan(STALE_MS));
                for (var home : homes.entrySet()) {
                    var next = workers.session(home.getKey()).through(paused);
                    assertThat(next.worker())
                            .as("%s: %s", home.getKey(), next.decision())
                            .isEqualTo(home.getValue());
                }
                assertThat(stream.finishes()).isTrue();
            }
            awaitLoad(paused, 0);
            assertThat(paused.alive()).isTrue();
            Management.onEach(
                    cluster.nodes(), node -> assertThat(node.upMembers()).hasSize(NODES));
            conversations.awaitTurns(1);
            conversations.endWithoutAMove();
        }
    }

    @Test
    void forThirtySecondsItIsTakenOutOfTheClusterAndEndsAndMayComeBack() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "sleep", 3, 3, SPEED);
                var conversations = Conversations.start(cluster, workers, CONVERSATIONS)) {
            NodeProcess paused = cluster.node(PAUSED);
            Map<String, String> homes = firstTurns(workers, "before", cluster.nodes());
            conversations.leave(paused);
            try (Open stream = workers.session("open").streaming(ENDLESS).open(paused)) {
                assertThat(stream.head().status()).isEqualTo(200);
                awaitLoad(paused, 1);

                stand(paused, 30_000, () -> {
                    awaitStaleLoad(paused, 1);
                    Management.onEach(
                            cluster.without(paused),
                            node -> assertThat(node.members()).hasSize(NODES - 1));
                    awaitLoad(paused, 0);
                    conversations.awaitTurns(2);
                });
            }

            long awake = System.nanoTime();
            assertThat(paused.awaitExit()).as("exit code").isEqualTo(DOWNED);
            LOG.info("the node ended {} ms after it went on", (System.nanoTime() - awake) / 1_000_000);
            cluster.restart(PAUSED);
            for (var home : homes.entrySet()) {
                var next = workers.session(home.getKey()).through(cluster.node(PAUSED));
                assertThat(next.decision()).as(home.getKey()).isEqualTo("pinned");
                assertThat(next.worker()).as(home.getKey()).isEqualTo(home.getValue());
            }
            conversations.awaitTurns(1);
            conversations.endWithoutAMove();
        }
    }

    /** Waits until the others see so many requests of a node. */
    private static void awaitLoad(NodeProcess node, int requests) throws Throwable {
        Management.onEach(
                cluster.without(node),
                other -> assertThat(other.requestsOf(node))
                        .as("load of %s", node)
                        .isEqualTo(requests));
    }

    /** The same, of a node that has said nothing for longer than it ever does while it runs. */
    private static void awaitStaleLoad(NodeProcess node, int requests) throws Throwable {
        Management.onEach(
                cluster.without(node), other -> assertThat(other.ageOf(node)).isGreaterThan(STALE_MS));
        for (NodeProcess other : cluster.without(node)) {
            assertThat(Management.of(other).requestsOf(node)).as("at %s", other).isEqualTo(requests);
        }
    }

    private interface Meanwhile {
        void run() throws Throwable;
    }

    /** Pauses a node for so long, or for as long as what happens meanwhile takes. */
    private static void stand(NodeProcess node, long ms, Meanwhile meanwhile) throws Throwable {
        node.pause();
        try {
            long until = System.nanoTime() + ms * 1_000_000;
            meanwhile.run();
            eventually(() -> assertThat(System.nanoTime()).isGreaterThanOrEqualTo(until));
        } finally {
            node.goOn();
        }
    }

    private static Map<String, String> firstTurns(WorkerGroup workers, String name, List<NodeProcess> nodes)
            throws Exception {
        Map<String, String> homes = new LinkedHashMap<>();
        for (int i = 0; i < SESSIONS; i++) {
            var first = workers.session(name + "-" + i).through(nodes.get(i % nodes.size()));
            assertThat(first.status()).isEqualTo(200);
            homes.put(name + "-" + i, first.worker());
        }
        return homes;
    }
}
