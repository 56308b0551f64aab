package io.kvrouter.multijvm;

import static io.kvrouter.multijvm.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.multijvm.Chat.Open;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sessions go on when a node is killed: no turn waits for the fail-over, and the dead node's load is gone. */
@SuppressWarnings("NullAway.Init") // JUnit sets them
class NodeDeathTest {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDeathTest.class);
    private static final int CONVERSATIONS = 50;
    private static final int IDLE = 30;
    private static final int NODES = 3;
    private static final int SHARDS = 128;
    /** Detection, stable-after and removal margin take twice as long at least. */
    private static final long LONGEST_WAIT_MS = 5_000;

    private static final double SPEED = 0.2;
    private static final long TTL_S = 15;
    /** Some 20 s: longer than the idle time-out, and than a dead node stays a member. */
    private static final int LONG = 700;

    private static NodeCluster cluster;

    @BeforeAll
    static void start() throws Throwable {
        var settings = Map.of(
                "kvrouter.session-ttl-per-model.brief-model", TTL_S + "s",
                "kvrouter.bindings.skew", "3s", // no row outlives its session by much
                "kvrouter.bindings.sweep-interval", "200ms");
        cluster = NodeCluster.start("death", Collections.nCopies(NODES, settings));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void conversationsOutliveTheNodeThatIsKilledAndTheOneThatTakesItsPlace() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "death", 3, 3, SPEED);
                var conversations = Conversations.start(cluster, workers, CONVERSATIONS)) {
            Map<String, String> idle = bind(workers, IDLE);
            NodeProcess victim = mostHosting(workers, conversations.sessions());
            Management.onEach(
                    cluster.nodes(), node -> assertThat(node.requestsOf(victim)).isPositive());

            conversations.giveUp(victim);
            victim.kill();
            takeTurns(workers, idle, cluster.without(victim));
            awaitRemoval(victim);
            conversations.awaitTurns(2);
            cluster.restart(cluster.nodes().indexOf(victim));
            awaitShards();
            conversations.awaitTurns(2);

            takeTurns(workers, idle, cluster.nodes());
            conversations.endWithoutAMove();
            assertThat(conversations.slowestMs()).isLessThan(LONGEST_WAIT_MS);
        }
    }

    @Test
    void aTurnLongerThanTheTtlKeepsItsSessionThoughTheNodeOfItsActorIsKilled() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "long", 3, 3, SPEED)) {
            NodeProcess victim = cluster.node(1);
            var chat = sessionHomedOn(victim, workers);
            long began = System.nanoTime();
            try (Open stream = chat.streaming(LONG).open(cluster.node(0))) {
                String worker = stream.head().worker();

                victim.kill();
                awaitRemoval(victim);

                assertThat(stream.finishes()).isTrue();
                assertThat(System.nanoTime() - began).isGreaterThan(TTL_S * 1_000_000_000L);
                stayPinned(chat, worker, cluster.without(victim));
                try (Open held = chat.streaming(LONG).open(cluster.node(2))) { // a start may outlast the time-out
                    assertThat(held.head().worker()).isEqualTo(worker);
                    cluster.restart(1);
                    stayPinned(chat, worker, cluster.nodes());
                }
            }
        }
    }

    private static void stayPinned(Chat chat, String worker, List<NodeProcess> nodes) throws Exception {
        for (NodeProcess node : nodes) {
            var next = chat.through(node);
            assertThat(next.decision()).as("through %s", node).isEqualTo("pinned");
            assertThat(next.worker()).as("through %s", node).isEqualTo(worker);
        }
    }

    /** A session with its worker, of a model with a short idle time-out, whose actor is on that node. */
    private static Chat sessionHomedOn(NodeProcess home, WorkerGroup workers) throws Throwable {
        for (int i = 0; i < 1_000; i++) {
            var chat = workers.session("long-" + i).ofModel("brief-model");
            var unused = chat.through(cluster.node(0));
            if (home(chat, "long-" + i).equals(home.address())) {
                return chat;
            }
        }
        throw new IllegalStateException("no session has its actor on " + home);
    }

    /** First turns of so many sessions, then nothing: their workers by id. */
    private static Map<String, String> bind(WorkerGroup workers, int sessions) throws Throwable {
        Map<String, String> homes = new LinkedHashMap<>();
        for (int i = 0; i < sessions; i++) {
            var chat = workers.session("idle-" + i);
            String worker = chat.through(cluster.node(i % NODES)).worker();
            Management.onEach(
                    cluster.nodes(),
                    node -> assertThat(node.session(chat.session(), chat)
                                    .path("worker")
                                    .asText())
                            .isEqualTo(worker));
            homes.put(chat.session(), worker);
        }
        return homes;
    }

    private static void takeTurns(WorkerGroup workers, Map<String, String> homes, List<NodeProcess> nodes)
            throws Exception {
        int i = 0;
        for (var home : homes.entrySet()) {
            var next = workers.session(home.getKey()).through(nodes.get(i++ % nodes.size()));
            assertThat(next.decision()).as(home.getKey()).isEqualTo("pinned");
            assertThat(next.worker()).as(home.getKey()).isEqualTo(home.getValue());
        }
    }

    /** The node that hosts the most of the sessions' actors: a quarter of them at least. */
    private static NodeProcess mostHosting(WorkerGroup workers, List<String> sessions) throws Exception {
        Map<String, Integer> hosted = new LinkedHashMap<>();
        for (String id : sessions) {
            hosted.merge(home(workers.session(id), id), 1, Integer::sum);
        }
        NodeProcess most = cluster.nodes().stream()
                .max(Comparator.comparing(node -> hosted.getOrDefault(node.address(), 0)))
                .orElseThrow();
        assertThat(hosted.get(most.address())).as("actors by node: %s", hosted).isGreaterThan(CONVERSATIONS / 4);
        return most;
    }

    private static String home(Chat chat, String session) throws Exception {
        String node = Management.of(cluster.node(0))
                .session(session, chat)
                .path("node")
                .asText();
        return node.substring(node.indexOf('@') + 1);
    }

    private static void awaitRemoval(NodeProcess killed) throws Throwable {
        long began = System.nanoTime();
        String address = killed.address();
        killed.awaitExit();
        var others = cluster.without(killed);
        Management.onEach(
                others,
                node -> assertThat(node.members()).hasSize(NODES - 1).noneMatch(it -> it.endsWith("@" + address)));
        LOG.info("the dead node was removed after {} ms", (System.nanoTime() - began) / 1_000_000);
        Management.onEach(
                others,
                node -> assertThat(node.requestsOf(killed))
                        .as("load of the dead")
                        .isZero());
    }

    /** Waits until shards have moved to each node: the one that came last got its share from the others. */
    private static void awaitShards() throws Throwable {
        long began = System.nanoTime();
        eventually(() -> {
            Map<String, Long> shards = Management.elements(
                            Management.of(cluster.node(0)).shards())
                    .collect(Collectors.groupingBy(shard -> shard.path("node").asText(), Collectors.counting()));
            assertThat(shards)
                    .hasSize(NODES)
                    .allSatisfy((node, hosted) ->
                            assertThat(hosted).as("shards of %s", node).isGreaterThanOrEqualTo(SHARDS / NODES - 3));
        });
        LOG.info("the shards were spread again after {} ms", (System.nanoTime() - began) / 1_000_000);
    }
}
