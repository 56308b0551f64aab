package io.kvrouter.multijvm;

import static io.kvrouter.multijvm.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.multijvm.Chat.Open;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedFleet;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A node that is told to stop cuts no stream and loses no session, and one that comes back brings back no worker that was
 * deleted.
 */
@SuppressWarnings("NullAway.Init") // JUnit sets them
class NodeLeavingTest {
    private static final int LEAVING = 2;
    private static final int STREAMS = 10;
    private static final int SESSIONS = 20;
    private static final int CONVERSATIONS = 20;
    /** Twelve seconds at a fifth of the speed: thrice the grace time. */
    private static final int LONG = 400;

    private static SimulatedFleet workers;
    private static NodeCluster cluster;

    @BeforeAll
    static void start() throws Throwable {
        workers = SimulatedFleet.start(4, 0, SimSettings.DEFAULT.withEngine(EngineSettings.DEFAULT.withSpeed(1, 0.2)));
        var settings = Map.of(
                "kvrouter.worker-urls",
                workers.urls().stream().map(URI::toString).collect(Collectors.joining(",")),
                "kvrouter.shutdown.grace",
                "4s",
                "kvrouter.shutdown.drain",
                "60s",
                "kvrouter.session-decision-budget",
                "10s");
        cluster = NodeCluster.start("leaving", Collections.nCopies(3, settings));
        Management.onEach(
                cluster.nodes(), node -> assertThat(node.workers().values()).contains("up", "up", "up"));
    }

    @AfterAll
    static void stop() {
        cluster.close();
        workers.close();
    }

    @Test
    void itAcceptsForTheGraceTimeThenRefusesAndItsStreamsFinish() throws Throwable {
        NodeProcess leaving = cluster.node(LEAVING);
        List<Open> streams = openStreams(leaving);

        leaving.terminate();

        eventually(() -> assertThat(Management.of(leaving).status("/ready")).isGreaterThanOrEqualTo(500));
        assertThat(Chat.of("late").through(leaving).status())
                .as("in the grace time")
                .isEqualTo(200);
        eventually(() -> assertThatThrownBy(
                        () -> new Socket(leaving.api().getHost(), leaving.api().getPort()).close())
                .isInstanceOf(ConnectException.class));
        assertThat(running())
                .as("streams that run on though the port is closed")
                .isPositive();
        for (Open stream : streams) {
            assertThat(stream.finishes()).as("the whole stream").isTrue();
        }
        assertThat(leaving.awaitExit()).as("exit code").isZero();
        awaitGone(leaving);
        for (int i = 0; i < STREAMS; i++) {
            var next = Chat.ofSession("l" + i).through(cluster.node(i % 2));
            assertThat(next.decision()).isEqualTo("pinned");
            assertThat(next.worker()).isEqualTo(streams.get(i).head().worker());
        }
        cluster.restart(LEAVING);
    }

    @Test
    void aDeletedStaticWorkerStaysAwayWhenANodeThatListsItComesBack() throws Throwable {
        String deleted =
                Management.of(cluster.node(0)).workers().keySet().iterator().next();
        Management.of(cluster.node(0)).delete("/workers/" + deleted);
        Management.onEach(
                cluster.nodes(), node -> assertThat(node.workers()).hasSize(3).doesNotContainKey(deleted));
        NodeProcess leaving = cluster.node(LEAVING);
        leaving.terminate();
        leaving.awaitExit();
        awaitGone(leaving);

        cluster.restart(LEAVING);

        Management.onEach(cluster.nodes(), node -> assertThat(node.workers()).hasSize(3));
        long back = System.nanoTime();
        eventually(
                () -> { // it has asked the others and added its list by then
                    for (NodeProcess node : cluster.nodes()) {
                        assertThat(Management.of(node).workers()).doesNotContainKey(deleted);
                    }
                    assertThat(System.nanoTime() - back).isGreaterThan(2_000_000_000L);
                });
    }

    @Test
    void aRestartOfAllNodesOneByOneIsSeenByNoClient() throws Throwable {
        try (var group = WorkerGroup.start(cluster, "rolling", 3, 3, 0.2);
                var conversations = Conversations.start(cluster, group, CONVERSATIONS)) {
            Map<String, String> idle = new LinkedHashMap<>();
            for (int i = 0; i < SESSIONS; i++) {
                var first = group.session("idle-" + i).through(cluster.node(i % 3));
                idle.put("idle-" + i, first.worker());
            }

            for (int index = 0; index < 3; index++) {
                NodeProcess restarting = cluster.node(index);
                restarting.terminate();
                assertThat(restarting.awaitExit()).isZero();
                awaitGone(restarting);
                cluster.restart(index);
                conversations.awaitTurns(1);
            }

            for (var home : idle.entrySet()) {
                var next = group.session(home.getKey())
                        .through(cluster.node(home.getKey().length() % 3));
                assertThat(next.decision()).as(home.getKey()).isEqualTo("pinned");
                assertThat(next.worker()).as(home.getKey()).isEqualTo(home.getValue());
            }
            conversations.endWithoutAMove();
        }
    }

    private static List<Open> openStreams(NodeProcess leaving) throws Throwable {
        List<Open> streams = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            streams.add(Chat.ofSession("l" + i).streaming(LONG).open(leaving));
        }
        Management.onEach(
                cluster.nodes(), node -> assertThat(node.requestsOf(leaving)).isEqualTo(STREAMS));
        return streams;
    }

    private static void awaitGone(NodeProcess left) throws Throwable {
        Management.onEach(
                cluster.without(left), node -> assertThat(node.members()).hasSize(2));
    }

    private static long running() {
        return workers.workers().stream()
                .flatMap(worker -> worker.requests().stream())
                .filter(request -> request.path("outcome").asText().equals("running"))
                .count();
    }
}
