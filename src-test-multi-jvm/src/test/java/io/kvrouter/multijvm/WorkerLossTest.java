package io.kvrouter.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.multijvm.Chat.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A session whose worker dies moves once, for all nodes, whether a health check or its own turn finds out. */
@ExtendWith(SharedCluster.class)
@SuppressWarnings("NullAway.Init") // JUnit sets it
class WorkerLossTest {
    private static final int THOUSAND = 1_000;

    private static NodeCluster cluster;

    @BeforeAll
    static void start(NodeCluster shared) {
        cluster = shared;
    }

    @Test
    void aWorkerThatAHealthCheckFindsDeadLosesItsSessionOnce() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "killed", 2, 1)) {
            var chat = workers.session("s");
            assertThat(chat.through(cluster.node(0)).worker()).isEqualTo("killed-0");
            String other = workers.register(1);
            var watchful = cluster.node(SharedCluster.WATCHFUL);

            workers.worker("killed-0").close();
            Management.onEach(
                    List.of(watchful), node -> assertThat(node.workers()).containsEntry("killed-0", "down"));
            List<Answer> answers = turns(chat, watchful, cluster.node(0), cluster.node(1), watchful);

            assertThat(answers).extracting(Answer::decision).containsExactly("rebound", "pinned", "pinned", "pinned");
            assertThat(answers).extracting(Answer::worker).containsOnly(other);
            assertThat(Management.of(cluster.node(0)).workers())
                    .as("a node that did not check sends no turn there any more")
                    .containsEntry("killed-0", "up");
            assertThat(workers.requests(other, "s")).hasSize(4);
        }
    }

    @Test
    void aWorkerWithAThousandSessionsThatDiesMovesNoneOfThemBeforeItsNextTurn() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "thousand", 2, 1)) {
            bind(workers, THOUSAND);
            String other = workers.register(1);
            double rows = publishedRows();

            workers.worker("thousand-0").close();
            Management.onEach(
                    List.of(cluster.node(SharedCluster.WATCHFUL)),
                    node -> assertThat(node.workers()).containsEntry("thousand-0", "down"));
            for (int i = 0; i < 20; i++) {
                List<Answer> answers = turns(
                        workers.session("s" + i),
                        cluster.node(SharedCluster.WATCHFUL),
                        cluster.node(0),
                        cluster.node(3));
                assertThat(answers).extracting(Answer::decision).containsExactly("rebound", "pinned", "pinned");
                assertThat(answers).extracting(Answer::worker).containsOnly(other);
            }

            assertThat(publishedRows() - rows).as("bindings made or changed").isBetween(20.0, 40.0);
            assertThat(workers.worker(other).requests()).hasSize(60);
            for (int i = 20; i < THOUSAND; i += 100) {
                var chat = workers.session("s" + i);
                assertThat(Management.of(cluster.node(0))
                                .session("s" + i, chat)
                                .path("worker")
                                .asText())
                        .isEqualTo("thousand-0");
            }
        }
    }

    /** Many first turns at a time, all on the only worker. */
    private static void bind(WorkerGroup workers, int sessions) throws Exception {
        try (var threads = Executors.newFixedThreadPool(16)) {
            List<Future<Answer>> running = IntStream.range(0, sessions)
                    .mapToObj(i -> threads.submit(() -> workers.session("s" + i).through(cluster.node(i % 4))))
                    .toList();
            for (Future<Answer> one : running) {
                assertThat(one.get().decision()).isEqualTo("selected");
            }
        }
    }

    private static double publishedRows() throws Exception {
        double sum = 0;
        for (NodeProcess node : cluster.nodes()) {
            sum += Management.of(node).metric("kvrouter_binding_rows_total");
        }
        return sum;
    }

    @Test
    void aTurnThatIsRefusedMovesItsSessionInsideTheSameRequest() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "refused", 2, 1)) {
            for (int i = 0; i < 2; i++) {
                assertThat(workers.session("s" + i).through(cluster.node(i)).worker())
                        .isEqualTo("refused-0");
            }
            String other = workers.register(1);

            workers.worker("refused-0").refuse();

            for (int i = 0; i < 2; i++) {
                var unaware = cluster.node(i);
                assertThat(Management.of(unaware).workers()).containsEntry("refused-0", "up");
                List<Answer> answers =
                        turns(workers.session("s" + i), unaware, cluster.node(0), cluster.node(1), cluster.node(2));
                assertThat(answers)
                        .extracting(Answer::decision)
                        .containsExactly("rebound", "pinned", "pinned", "pinned");
                assertThat(answers).extracting(Answer::worker).containsOnly(other);
                assertThat(workers.requests("refused-0", "s" + i)).hasSize(1);
                assertThat(workers.requests(other, "s" + i)).hasSize(4);
                Management.onEach(
                        List.of(unaware), node -> assertThat(node.workers()).containsEntry("refused-0", "down"));
            }
        }
    }

    @Test
    void aWorkerIsKnownToAllNodesWhicheverHeardOfItAndForgottenByAll() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "register", 3, 3)) { // each over another node
            var first = Management.of(cluster.node(0));

            first.patch("/workers/register-1", Map.of("draining", true));
            workers.awaitState("register-1", "draining");
            Management.of(cluster.node(1)).delete("/workers/register-1");

            Management.onEach(
                    cluster.nodes(),
                    node -> assertThat(node.workers().keySet())
                            .contains("register-0", "register-2")
                            .doesNotContain("register-1"));
            workers.register(1);
        }
    }

    private static List<Answer> turns(Chat chat, NodeProcess... nodes) throws Exception {
        List<Answer> answers = new ArrayList<>();
        for (NodeProcess node : nodes) {
            answers.add(chat.through(node));
        }
        assertThat(answers).extracting(Answer::status).containsOnly(200);
        return answers;
    }
}
