package io.kvrouter.cluster.session;

import static io.kvrouter.cluster.session.Eventually.eventually;
import static io.kvrouter.cluster.session.TestNode.await;
import static io.kvrouter.cluster.session.TestNode.turn;
import static io.kvrouter.cluster.session.TestNode.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.session.Answer;
import io.kvrouter.session.Answer.Bound;
import io.kvrouter.session.Answer.How;
import io.kvrouter.session.Answer.Unbound;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionIdentity;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.TurnEnd;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SessionActorTest {
    private static final Duration LONG = Duration.ofMinutes(30);
    private static final AtomicInteger NAMES = new AtomicInteger();

    private static TestNode node;

    private final SessionKey key = new SessionIdentity("default", "m", "", "session-" + NAMES.incrementAndGet()).key();

    @BeforeAll
    static void start() {
        node = TestNode.first();
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void aSessionStaysWhereItsFirstTurnWent() {
        var first = node.bind(key, turn(LONG), "a");

        assertThat(worker(first)).isEqualTo("a");
        assertThat(worker(node.follow(key, turn(LONG)))).isEqualTo("a");
        assertThat(worker(node.bind(key, turn(LONG), "b"))).isEqualTo("a");
    }

    @Test
    void itsRowIsReadWithoutAskingAsSoonAsItIsBound() {
        node.bind(key, turn(LONG), "a");

        assertThat(node.worker(key)).contains("a");
    }

    @Test
    void ofManyFirstTurnsAtOnceOneBinds() {
        var asked = IntStream.range(0, 16)
                .mapToObj(i -> node.sessions
                        .bind(key, turn(LONG), new Proposal(0, new WorkerId("w" + i), 0, Known.NOTHING))
                        .answer())
                .toList();

        var answers = asked.stream().map(TestNode::await).toList();

        assertThat(answers).extracting(TestNode::worker).containsOnly(worker(answers.getFirst()));
        assertThat(answers).extracting(SessionActorTest::how).containsOnlyOnce(How.CREATED);
    }

    @Test
    void ofManyRebindsOfTheSameVersionOneWins() {
        long seen = node.bind(key, turn(LONG), "a").version();
        var asked = IntStream.range(0, 16)
                .mapToObj(i -> node.sessions
                        .bind(key, turn(LONG), new Proposal(seen, new WorkerId("w" + i), 0, Known.NOTHING))
                        .answer())
                .toList();

        var answers = asked.stream().map(TestNode::await).toList();

        assertThat(answers).extracting(TestNode::worker).containsOnly(worker(answers.getFirst()));
        assertThat(answers).extracting(SessionActorTest::how).containsOnlyOnce(How.REBOUND);
    }

    @Test
    void endsWithTheTurnThatSaysSo() {
        var turn = turn(LONG);
        var bound = (Bound) node.bind(key, turn, "a");

        node.sessions.end(key, new TurnEnd(turn, bound.binding().known(), true, 10, true));

        eventually(() -> assertThat(node.sessions.row(key)).get().matches(BindingRow::removed));
        assertThat(node.follow(key, turn(LONG))).isInstanceOf(Unbound.class);
    }

    @Test
    void endsWhenTheOperatorSaysSo() {
        node.bind(key, turn(LONG), "a");

        assertThat(await(node.sessions.unbind(key))).isInstanceOf(Unbound.class);
        assertThat(node.worker(key)).isEmpty();
    }

    @Test
    void aFirstTurnThatNobodyServedLeavesNoBinding() {
        var turn = turn(LONG);
        var bound = (Bound) node.bind(key, turn, "a");

        node.sessions.end(key, new TurnEnd(turn, bound.binding().known(), false, 0, false));

        assertThat(worker(node.bind(key, turn(LONG), "b"))).isEqualTo("b");
    }

    @Test
    void anExpiredSessionLeavesNoActorAndNoRow() {
        node.bind(key, turn(Duration.ofMillis(500)), "a");

        eventually(() -> assertThat(node.sessions.row(key)).get().matches(BindingRow::removed));
        eventually(() -> assertThat(node.sessions.row(key)).isEmpty());
        eventually(() -> assertThat(node.shard(key).actors()).isZero());
    }

    @Test
    void aTurnThatRunsKeepsItsSessionBeyondTheTtl() {
        var ttl = Duration.ofSeconds(3);
        var turn = turn(ttl);
        var known = ((Bound) node.bind(key, turn, "a")).binding().known();
        long end = System.nanoTime() + 3 * ttl.toNanos() / 2;

        while (System.nanoTime() < end) {
            node.sessions.keep(key, turn, known);
            assertThat(node.sessions.usable(key)).get().returns(known.version(), b -> b.version());
            LockSupport.parkNanos(ttl.toNanos() / 8);
        }
    }

    @Test
    void isNotPassivatedByTheLibrary() {
        try (var impatient = TestNode.alone("""
                pekko.cluster.sharding.passivation {
                  strategy = default-strategy
                  default-strategy.idle-entity { timeout = 200 ms, interval = 50 ms }
                  default-idle-strategy.idle-entity { timeout = 200 ms, interval = 50 ms }
                }
                """)) {
            impatient.join(null);
            var turn = turn(LONG);
            var bound = (Bound) impatient.bind(key, turn, "a");
            impatient.sessions.end(key, new TurnEnd(turn, bound.binding().known(), true, 77, false));

            LockSupport.parkNanos(Duration.ofMillis(1_500).toNanos());

            // Only the actor itself knows the context: a successor would answer 0.
            assertThat(impatient.follow(key, turn(LONG)))
                    .isInstanceOfSatisfying(
                            Bound.class,
                            answer -> assertThat(answer.contextTokens()).isEqualTo(77));
        }
    }

    @Test
    void itsShardIsFoundByItsKey() {
        node.bind(key, turn(LONG), "a");

        var shard = node.shard(key);

        assertThat(shard.number()).isEqualTo(key.shard());
        assertThat(shard.node()).contains(node.address());
        assertThat(shard.actors()).isPositive();
        assertThat(shard.bindings()).isPositive();
        assertThat(await(node.shards.shards())).hasSize(SessionKey.SHARDS);
    }

    private static How how(Answer answer) {
        return ((Bound) answer).how();
    }
}
