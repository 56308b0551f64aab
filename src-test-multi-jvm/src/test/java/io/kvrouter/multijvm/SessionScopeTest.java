package io.kvrouter.multijvm;

import static io.kvrouter.multijvm.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.multijvm.Chat.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What one session is, and until when: its id within a model and a group, up to its last turn. */
@ExtendWith(SharedCluster.class)
@SuppressWarnings("NullAway.Init") // JUnit sets them
class SessionScopeTest {
    private static NodeCluster cluster;
    private static WorkerGroup workers;

    @BeforeAll
    static void start(NodeCluster shared) throws Throwable {
        cluster = shared;
        workers = WorkerGroup.start(cluster, "scope", 3, 3);
    }

    @AfterAll
    static void stop() throws Exception {
        workers.close();
    }

    @Test
    void afterItsLastTurnItIsGoneFromAllNodes() throws Throwable {
        var chat = workers.session("last");
        List<Answer> answers = turns(chat);

        answers.add(chat.with("x-session-final", "true").through(cluster.node(2)));

        assertThat(answers)
                .extracting(Answer::decision)
                .containsExactly("selected", "pinned", "pinned", "pinned", "pinned");
        for (NodeProcess node : cluster.nodes()) {
            eventually(() -> assertThat(Management.of(node).sessionStatus("last", chat))
                    .as("of the session at %s", node)
                    .isEqualTo(404));
        }
        assertThat(turns(chat)).extracting(Answer::decision).containsExactly("selected", "pinned", "pinned", "pinned");
    }

    @Test
    void theSameIdUnderTwoModelsAndInTwoGroupsIsOfSessionsThatKnowNothingOfEachOther() throws Throwable {
        try (var elsewhere = WorkerGroup.start(cluster, "elsewhere", 1, 1)) {
            var chat = workers.session("same");
            var ofOtherModel = chat.ofModel("brief-model").with("x-router-allow", "scope-1");

            var first = chat.with("x-router-allow", "scope-0").through(cluster.node(0));
            var second = ofOtherModel.through(cluster.node(1));
            var third = elsewhere.session("same").through(cluster.node(2));

            assertThat(List.of(first, second, third))
                    .extracting(Answer::decision)
                    .containsOnly("selected");
            assertThat(turns(chat))
                    .allSatisfy(answer -> assertThat(answer.worker()).isEqualTo("scope-0"));
            assertThat(turns(elsewhere.session("same")))
                    .allSatisfy(answer -> assertThat(answer.worker()).isEqualTo("elsewhere-0"));
            assertThat(List.of(versionOf(chat), versionOf(elsewhere.session("same"))))
                    .doesNotHaveDuplicates();
        }
    }

    private static long versionOf(Chat chat) throws Exception {
        return Management.of(cluster.node(3))
                .session(chat.session(), chat)
                .path("version")
                .asLong();
    }

    @Test
    void anAllowlistWithoutItsWorkerMovesItOnceAndOneWithBothDoesNotMoveItBack() throws Throwable {
        var chat = workers.session("allowed");
        String before = chat.through(cluster.node(0)).worker();
        List<String> others =
                workers.ids().stream().filter(id -> !id.equals(before)).sorted().toList();

        List<Answer> without = turns(chat.with("x-router-allow", String.join(",", others)));
        List<Answer> with = turns(chat.with("x-router-allow", String.join(",", workers.ids())));
        List<Answer> unlimited = turns(chat);

        assertThat(without).extracting(Answer::decision).containsExactly("rebound", "pinned", "pinned", "pinned");
        String moved = without.getFirst().worker();
        assertThat(others).contains(moved);
        assertThat(with).extracting(Answer::decision).containsOnly("pinned");
        assertThat(unlimited).extracting(Answer::decision).containsOnly("pinned");
        assertThat(workers.requests(before, "allowed")).hasSize(1);
        assertThat(workers.requests(moved, "allowed")).hasSize(12);
    }

    /** Turns one after the other, one through each node. */
    private static List<Answer> turns(Chat chat) throws Exception {
        List<Answer> answers = new ArrayList<>();
        for (NodeProcess node : cluster.nodes()) {
            answers.add(chat.through(node));
        }
        assertThat(answers).extracting(Answer::status).containsOnly(200);
        return answers;
    }
}
