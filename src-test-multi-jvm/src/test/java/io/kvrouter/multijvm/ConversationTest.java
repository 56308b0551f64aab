package io.kvrouter.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.multijvm.Chat.Answer;
import io.kvrouter.multijvm.Chat.Open;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A conversation stays on its worker, whichever node its turns come through, and all nodes say the same of it. */
@ExtendWith(SharedCluster.class)
@SuppressWarnings("NullAway.Init") // JUnit sets them
class ConversationTest {
    private static NodeCluster cluster;
    private static WorkerGroup workers;

    @BeforeAll
    static void start(NodeCluster shared) throws Throwable {
        cluster = shared;
        workers = WorkerGroup.start(cluster, "talk", 3, 3);
    }

    @AfterAll
    static void stop() throws Exception {
        workers.close();
    }

    @Test
    void tenTurnsThroughThreeNodesInTurnLandOnOneWorker() throws Exception {
        List<Answer> answers = new ArrayList<>();
        for (int turn = 0; turn < 10; turn++) {
            answers.add(workers.session("s1").through(cluster.node(turn % 3)));
        }

        assertThat(answers).extracting(Answer::status).containsOnly(200);
        List<String> decisions = new ArrayList<>(Collections.nCopies(10, "pinned"));
        decisions.set(0, "selected");
        assertThat(answers).extracting(Answer::decision).isEqualTo(decisions);
        String worker = answers.getFirst().worker();
        assertThat(answers).extracting(Answer::worker).containsOnly(worker);
        assertThat(workers.servedBy("s1")).containsOnly(worker);
        assertThat(workers.requests(worker, "s1")).hasSize(10);
    }

    @Test
    void otherSessionsSpreadOverTheWorkers() throws Throwable {
        List<Open> streams = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                String id = "spread-" + i;
                var first = workers.session(id).saying(id, 500).streaming(Chat.ENDLESS);
                streams.add(first.open(cluster.node(i % 3)));
                long open = streams.size();
                Management.onEach(
                        cluster.nodes(), node -> assertThat(requests(node)).isEqualTo(open));
            }

            assertThat(streams).allMatch(stream -> stream.head().decision().equals("selected"));
            assertThat(streams.stream()
                            .collect(Collectors.groupingBy(
                                    stream -> stream.head().worker(), Collectors.counting())))
                    .containsOnlyKeys(workers.ids())
                    .allSatisfy((worker, sessions) -> assertThat(sessions).isEqualTo(4));
        } finally {
            for (Open stream : streams) {
                stream.close();
            }
        }
        workers.awaitFree();
    }

    private static long requests(Management node) throws Exception {
        long sum = 0;
        for (String id : workers.ids()) {
            sum += node.requests(id);
        }
        return sum;
    }

    @Test
    void theNodesAgreeWhereASessionLives() throws Throwable {
        var chat = workers.session("s2");
        String worker = chat.through(cluster.node(1)).worker();

        Set<Object> seen = Collections.synchronizedSet(new HashSet<>());
        Management.onEach(cluster.nodes(), node -> {
            var session = node.session("s2", chat);
            assertThat(session.path("worker").asText()).isEqualTo(worker);
            assertThat(session.path("node").asText()).contains("@127.0.0.1:");
            seen.add(List.of(
                    session.path("key"),
                    session.path("version"),
                    session.path("rank"),
                    session.path("shard"),
                    session.path("node")));
        });
        assertThat(seen).hasSize(1);
    }

    @Test
    void theShardsOfTheNodesAreTheShardsThatEachOfThemShows() throws Throwable {
        for (int i = 0; i < 20; i++) {
            assertThat(workers.session("shard-" + i)
                            .through(cluster.node(i % 3))
                            .status())
                    .isEqualTo(200);
        }

        Management.onEach(cluster.nodes(), node -> {
            Map<Integer, String> union = new TreeMap<>();
            for (NodeProcess one : cluster.nodes()) {
                Management.of(one)
                        .ownShards()
                        .forEach(
                                (shard, actors) -> union.merge(shard, actors + " at " + one.address(), String::concat));
            }
            Map<Integer, String> shown = new TreeMap<>();
            for (var shard : node.shards()) {
                String home = shard.path("node").asText("");
                if (home.contains("@")) {
                    shown.put(
                            shard.path("shard").asInt(),
                            shard.path("actors").asInt() + " at " + home.substring(home.indexOf('@') + 1));
                }
            }
            assertThat(shown).as("shards, as %s shows them", node).isEqualTo(union);
            assertThat(shown).hasSizeGreaterThan(10);
        });
    }
}
