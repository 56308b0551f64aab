package io.kvrouter.cluster.session;

import static io.kvrouter.cluster.session.Eventually.eventually;
import static io.kvrouter.cluster.session.TestNode.turn;
import static io.kvrouter.cluster.session.TestNode.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.session.Answer.Bound;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionIdentity;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.TurnEnd;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionClusterTest {
    private static final Duration TTL = Duration.ofMinutes(30);

    @Test
    void aBindingOutlivesTheNodeOfItsActor() {
        try (var first = TestNode.first();
                var second = TestNode.joining(first);
                var third = TestNode.joining(first)) {
            var key = homedOn(second, first);
            eventually(() -> assertThat(third.worker(key)).contains("a"));

            second.system.terminate();
            TestNode.await(second.system.getWhenTerminated());
            first.down(second);

            // What was sent to the dead node before its death was known is lost; later turns ask again.
            eventually(() -> assertThat(third.decide(key)).map(TestNode::worker).contains("a"));
            assertThat(first.decide(key)).map(TestNode::worker).contains("a");
        }
    }

    @Test
    void whatADeadNodeWasAskedIsAnsweredByTheNextHomeAndOnlyThenDoesItsTurnEnd() {
        try (var first = TestNode.first();
                var second = TestNode.joining(first)) {
            var key = homedOn(second, first);
            eventually(() -> assertThat(first.worker(key)).contains("a"));
            var known = first.sessions.row(key).orElseThrow().known();
            second.system.terminate();
            TestNode.await(second.system.getWhenTerminated());
            var turn = turn(TTL);
            var asked = first.sessions.follow(key, turn, known);
            assertThat(TestNode.await(asked.within(Duration.ofMillis(50)))).isEmpty();

            first.sessions.end(key, new TurnEnd(turn, known, true, 1, true));
            first.down(second);

            assertThat(worker(TestNode.await(asked.answer()))).isEqualTo("a");
            eventually(() -> assertThat(first.sessions.row(key)).get().matches(BindingRow::removed));
            assertThat(first.sessions.counts().repeated()).isPositive();
        }
    }

    @Test
    void aTurnOnAnotherNodeFollowsAndARemovalIsSeenThere() {
        try (var first = TestNode.first();
                var second = TestNode.joining(first)) {
            var key = key(0);
            var turn = turn(TTL);
            var bound = (Bound) first.bind(key, turn, "a");

            assertThat(worker(second.follow(key, turn(TTL)))).isEqualTo("a");
            first.sessions.end(key, new TurnEnd(turn, bound.binding().known(), true, 1, true));

            eventually(() -> assertThat(first.sessions.row(key)).get().matches(BindingRow::removed));
            eventually(() -> assertThat(second.sessions.row(key)).get().matches(BindingRow::removed));
        }
    }

    @Test
    void anAnswerIsMeasuredByWhereItsActorLives() {
        try (var first = TestNode.first()) {
            first.bind(key(0), turn(TTL), "a");

            try (var second = TestNode.joining(first)) {
                assertThat(first.answersFromHere.sum()).isEqualTo(1);
                IntStream.range(0, 100).forEach(i -> first.bind(key(i), turn(TTL), "a"));

                assertThat(IntStream.range(0, 100))
                        .anyMatch(i -> first.shard(key(i)).node().equals(Optional.of(second.address())));
                assertThat(first.answersFromElsewhere.sum()).isPositive();
                assertThat(first.answersFromHere.sum() + first.answersFromElsewhere.sum())
                        .isEqualTo(101);
            }
        }
    }

    @Test
    void aJoiningNodeHasReadEveryBindingBeforeItHostsAny() {
        try (var first = TestNode.first()) {
            IntStream.range(0, 300).forEach(i -> first.bind(key(i), turn(TTL), "w" + i % 7));

            try (var second = TestNode.joining(first)) {
                assertThat(IntStream.range(0, 300)
                                .filter(i -> second.worker(key(i)).isEmpty()))
                        .isEmpty();
            }
        }
    }

    @Test
    void aShardThatMovesKeepsItsBindings() {
        try (var first = TestNode.first()) {
            IntStream.range(0, 100).forEach(i -> first.bind(key(i), turn(TTL), "w" + i % 7));

            try (var second = TestNode.joining(first)) {
                eventually(() -> assertThat(IntStream.range(0, 100))
                        .anyMatch(i -> first.shard(key(i)).node().equals(Optional.of(second.address()))));

                IntStream.range(0, 100)
                        .forEach(i -> eventually(() -> assertThat(first.decide(key(i)))
                                .map(TestNode::worker)
                                .contains("w" + i % 7)));
            }
        }
    }

    @Test
    void aBurstOfBindingsReachesTheOtherNodeWhole() {
        try (var first = TestNode.first();
                var second = TestNode.joining(first)) {
            var asked = IntStream.range(0, 3_000)
                    .mapToObj(i -> first.sessions
                            .bind(key(i), turn(TTL), new Proposal(0, new WorkerId("w" + i % 7), 0, Known.NOTHING))
                            .answer())
                    .toList();
            asked.forEach(TestNode::await);

            eventually(() -> assertThat(IntStream.range(0, 3_000)
                            .filter(i -> !second.worker(key(i)).equals(Optional.of("w" + i % 7))))
                    .isEmpty());
        }
    }

    @Test
    void aTurnThatRunsBringsItsBindingBackThoughItsActorsNodeAndTheRowAreGone() {
        try (var first = TestNode.first()) {
            var turn = turn(TTL);
            var known = new Known(1L << 40, new WorkerId("a"), 0);

            first.sessions.keep(key(5), turn, known);

            eventually(() -> assertThat(first.worker(key(5))).contains("a"));
        }
    }

    @Test
    void anExpiredSessionIsForgottenOnAllNodes() {
        try (var first = TestNode.first();
                var second = TestNode.joining(first)) {
            var key = key(1);
            first.bind(key, turn(Duration.ofMillis(700)), "a");
            eventually(() -> assertThat(second.sessions.row(key)).isPresent());

            eventually(() -> assertThat(first.sessions.row(key)).isEmpty());
            eventually(() -> assertThat(second.sessions.row(key)).isEmpty());
            eventually(() -> assertThat(first.shard(key).actors()).isZero());
        }
    }

    private static SessionKey homedOn(TestNode home, TestNode asking) {
        // Shards move to a new member a few at a time; until then sessions live on the first.
        var found = new SessionKey[1];
        var next = new int[] {1_000};
        eventually(() -> {
            var key = key(next[0]++);
            asking.bind(key, turn(TTL), "a");
            assertThat(asking.shard(key).node()).contains(home.address());
            found[0] = key;
        });
        return found[0];
    }

    private static SessionKey key(int number) {
        return new SessionIdentity("default", "m", "", "s" + number).key();
    }
}
