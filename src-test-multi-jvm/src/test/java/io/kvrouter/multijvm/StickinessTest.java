package io.kvrouter.multijvm;

import static io.kvrouter.multijvm.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.multijvm.Chat.Answer;
import io.kvrouter.multijvm.Chat.Open;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is remembered of a session decides where its turns go: no hash of its id, and no other worker's merits. */
@ExtendWith(SharedCluster.class)
@SuppressWarnings("NullAway.Init") // JUnit sets it
class StickinessTest {
    private static final int STREAMS = 6;

    private static NodeCluster cluster;

    @BeforeAll
    static void start(NodeCluster shared) {
        cluster = shared;
    }

    @Test
    void newSessionsKeepAwayFromABusyWorker() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "busy", 3, 3)) {
            List<Open> streams = keepBusy(workers, "busy-0");

            for (int i = 0; i < 9; i++) {
                var answer = workers.session("new-" + i).through(cluster.node(i % 3));

                assertThat(answer.decision()).isEqualTo("selected");
                assertThat(workers.servedBy("new-" + i))
                        .containsOnly(answer.worker())
                        .doesNotContain("busy-0");
            }
            release(workers, streams);
        }
    }

    @Test
    void aSessionStaysThoughItsWorkerIsTheBusiest() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "busiest", 3, 3)) {
            String own = workers.session("s").through(cluster.node(0)).worker();
            List<Open> streams = keepBusy(workers, own);

            List<Answer> answers = turns(workers.session("s"), 6);

            assertThat(answers).extracting(Answer::decision).containsOnly("pinned");
            assertThat(workers.servedBy("s")).containsOnly(own);
            assertThat(workers.requests(own, "s")).hasSize(7);
            release(workers, streams);
        }
    }

    @Test
    void aNewWorkerTakesNoSessionFromAnother() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "grow", 3, 2)) {
            Map<String, String> homes = bind(workers, 12);

            String added = workers.register(2);

            for (var home : homes.entrySet()) {
                assertThat(turns(workers.session(home.getKey()), 3))
                        .allSatisfy(answer -> assertThat(answer.decision()).isEqualTo("pinned"))
                        .extracting(Answer::worker)
                        .containsOnly(home.getValue());
            }
            assertThat(workers.worker(added).requests()).isEmpty();
        }
    }

    @Test
    void drainingMovesEachSessionOnceAndForGood() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "drain", 2, 1)) {
            Map<String, String> homes = bind(workers, 6);
            String other = workers.register(1);
            var management = Management.of(cluster.node(1));

            management.patch("/workers/drain-0", Map.of("draining", true));
            workers.awaitState("drain-0", "draining");

            for (String id : homes.keySet()) {
                List<Answer> answers = turns(workers.session(id), 3);
                assertThat(answers).extracting(Answer::decision).containsExactly("rebound", "pinned", "pinned");
                assertThat(answers).extracting(Answer::worker).containsOnly(other);
            }
            management.patch("/workers/drain-0", Map.of("draining", false));
            workers.awaitState("drain-0", "up");
            for (String id : homes.keySet()) {
                List<Answer> answers = turns(workers.session(id), 3);
                assertThat(answers).extracting(Answer::decision).containsOnly("pinned");
                assertThat(workers.requests("drain-0", id)).hasSize(1);
                assertThat(workers.requests(other, id)).hasSize(6);
            }
        }
    }

    @Test
    void aSessionThatWasIdleForItsWholeTtlIsForgotten() throws Throwable {
        try (var workers = WorkerGroup.start(cluster, "brief", 2, 2)) {
            var chat = workers.session("short").ofModel("brief-model"); // TTL 2 s
            assertThat(chat.through(cluster.node(0)).decision()).isEqualTo("selected");
            long answered = System.nanoTime();

            eventually(() -> assertThat(System.nanoTime() - answered).isGreaterThan(4_000_000_000L));

            assertThat(chat.through(cluster.node(1)).decision()).isEqualTo("selected");
        }
    }

    /** First turns of so many sessions: their workers by id. */
    private static Map<String, String> bind(WorkerGroup workers, int sessions) throws Exception {
        Map<String, String> homes = new TreeMap<>();
        for (int i = 0; i < sessions; i++) {
            String id = workers.name() + "-s" + i;
            var answer = workers.session(id).through(cluster.node(i % 3));
            assertThat(answer.decision()).isEqualTo("selected");
            homes.put(id, answer.worker());
        }
        return homes;
    }

    /** Turns one after the other, through the nodes in turn. */
    private static List<Answer> turns(Chat chat, int count) throws Exception {
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(chat.through(cluster.node(i % 3)));
        }
        assertThat(answers).extracting(Answer::status).containsOnly(200);
        return answers;
    }

    /** Streams on a worker, from all nodes, until all nodes know of them. */
    private static List<Open> keepBusy(WorkerGroup workers, String worker) throws Throwable {
        List<Open> streams = new ArrayList<>();
        for (int i : IntStream.range(0, STREAMS).toArray()) {
            var chat = Chat.of("").saying("busy" + i, 1_000).in(workers.name()).to(worker);
            streams.add(chat.streaming(Chat.ENDLESS).open(cluster.node(i % 3)));
        }
        Management.onEach(
                cluster.nodes(), node -> assertThat(node.requests(worker)).isEqualTo(STREAMS));
        return streams;
    }

    private static void release(WorkerGroup workers, List<Open> streams) throws Throwable {
        for (Open stream : streams) {
            stream.close();
        }
        workers.awaitFree();
    }
}
