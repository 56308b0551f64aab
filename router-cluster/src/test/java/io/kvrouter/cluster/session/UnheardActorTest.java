package io.kvrouter.cluster.session;

import static io.kvrouter.cluster.session.Eventually.eventually;
import static io.kvrouter.cluster.session.TestNode.await;
import static io.kvrouter.cluster.session.TestNode.turn;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.session.Answer.Bound;
import io.kvrouter.session.Known;
import io.kvrouter.session.Proposal;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the ingress sees while a session's actor can't be heard: here, because the node has not joined yet. */
class UnheardActorTest {
    private static final Duration TTL = Duration.ofMinutes(30);
    private static final SessionKey KEY = new SessionKey(3, 4);
    private static final Proposal TO_A = new Proposal(0, new WorkerId("a"), 0, Known.NOTHING);

    private final TestNode node = TestNode.alone("");

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void theDecisionGoesOnAndIsRemembered() {
        var asked = node.sessions.bind(KEY, turn(TTL), TO_A);

        var decision = await(asked.within(Duration.ofMillis(50)));

        assertThat(decision).isEmpty();
        assertThat(node.sessions.provisional(KEY)).contains(TO_A);
        assertThat(node.sessions.counts().timeouts()).isEqualTo(1);
    }

    @Test
    void nobodyWaitsForAShardThatLetOneWaitInVain() {
        var unused = await(node.sessions.bind(KEY, turn(TTL), TO_A).within(Duration.ofMillis(50)));

        var decision = node.sessions.bind(KEY, turn(TTL), TO_A).within(Duration.ofDays(1));

        assertThat(node.sessions.silent(KEY.shard())).isTrue();
        assertThat(decision.toCompletableFuture()).isCompletedWithValueMatching(Optional::isEmpty);
        assertThat(node.sessions.counts().unawaited()).isEqualTo(1);
    }

    @Test
    void otherShardsAreStillWaitedFor() {
        var unused = await(node.sessions.bind(KEY, turn(TTL), TO_A).within(Duration.ofMillis(50)));

        assertThat(node.sessions.silent(KEY.shard() + 1)).isFalse();
    }

    @Test
    void theLateAnswerAdoptsWhereTheTurnWentAndEndsTheSilence() {
        var asked = node.sessions.bind(KEY, turn(TTL), TO_A);
        var unused = await(asked.within(Duration.ofMillis(50)));

        node.join(null);

        assertThat(await(asked.answer()))
                .isInstanceOfSatisfying(
                        Bound.class,
                        bound -> assertThat(bound.binding().worker()).isEqualTo(TO_A.worker()));
        eventually(() -> assertThat(node.sessions.counts().late()).isEqualTo(1));
        assertThat(node.sessions.silent(KEY.shard())).isFalse();
        assertThat(node.sessions.provisional(KEY)).isEmpty();
    }
}
