package io.kvrouter.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.multijvm.Chat.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** First turns of one session that come to all nodes at once make one binding, whoever wins. */
@ExtendWith(SharedCluster.class)
@SuppressWarnings("NullAway.Init") // JUnit sets them
class FirstTurnsTest {
    private static final Logger LOG = LoggerFactory.getLogger(FirstTurnsTest.class);
    private static final int SESSIONS = 100;
    private static final int WORKERS = 4;

    private static NodeCluster cluster;
    private static WorkerGroup workers;

    @BeforeAll
    static void start(NodeCluster shared) throws Throwable {
        cluster = shared;
        workers = WorkerGroup.start(cluster, "race", WORKERS, WORKERS);
    }

    @AfterAll
    static void stop() throws Exception {
        workers.close();
    }

    @Test
    void oneIsSelectedAndTheOthersFollowIt() throws Exception {
        Map<String, List<Answer>> answers = new TreeMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < SESSIONS; i++) {
                answers.put("race-" + i, atOnce(threads, workers.session("race-" + i)));
            }
        }

        answers.forEach((session, ofSession) -> {
            assertThat(ofSession).as(session).extracting(Answer::status).containsOnly(200);
            assertThat(ofSession)
                    .as(session)
                    .extracting(Answer::decision)
                    .containsOnlyOnce("selected")
                    .containsOnly("selected", "pinned");
            String worker = ofSession.getFirst().worker();
            assertThat(ofSession).as(session).extracting(Answer::worker).containsOnly(worker);
            assertThat(workers.servedBy(session)).containsOnly(worker);
            assertThat(workers.requests(worker, session)).hasSameSizeAs(ofSession);
        });
        long others = answers.values().stream()
                .filter(ofSession -> !ofSession.getFirst().decision().equals("selected"))
                .count();
        LOG.info("of {} sessions {} were bound by another node than the first", SESSIONS, others);
    }

    /** The same turn through each node. */
    private static List<Answer> atOnce(ExecutorService threads, Chat chat) throws Exception {
        var start = new CyclicBarrier(cluster.nodes().size());
        List<Future<Answer>> running = new ArrayList<>();
        for (NodeProcess node : cluster.nodes()) {
            running.add(threads.submit(() -> {
                start.await();
                return chat.through(node);
            }));
        }
        List<Answer> answers = new ArrayList<>();
        for (Future<Answer> one : running) {
            answers.add(one.get());
        }
        return answers;
    }
}
