package io.kvrouter.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.session.Answer.Bound;
import io.kvrouter.session.Answer.How;
import io.kvrouter.session.Answer.Unbound;
import io.kvrouter.session.SessionState.Sight;
import io.kvrouter.session.SessionState.Step;
import io.kvrouter.worker.WorkerId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SessionStateTest {
    private static final SessionKey KEY = new SessionKey(1, 2);
    private static final WorkerId A = new WorkerId("a");
    private static final WorkerId B = new WorkerId("b");
    private static final long TTL = 10_000;
    private static final long NOW = 1_000_000;
    private static final Turn FIRST = new Turn(new TurnId(1, 1), TTL);
    private static final Turn SECOND = new Turn(new TurnId(1, 2), TTL);

    private static final Step BOUND_TO_A = SessionState.UNBOUND.bind(KEY, FIRST, propose(0, A), sight(NOW, null));
    private static final Known AT_A = BOUND_TO_A.state().current();
    private static final BindingRow ROW = published(BOUND_TO_A);

    @Nested
    class WhenUnbound {
        @Test
        void aFollowingTurnHearsTheVersionOnly() {
            var step = SessionState.UNBOUND.follow(KEY, FIRST, Known.NOTHING, sight(NOW, null));

            assertThat(step.answer()).isEqualTo(new Unbound(Version.NONE));
            assertThat(step.publish()).isNull();
        }

        @Test
        void theFirstTurnBindsAndThatIsPublishedForLongerThanTheTtl() {
            assertThat(BOUND_TO_A.answer()).isEqualTo(new Bound(new Binding(A, 0, AT_A.version()), 0, How.CREATED));
            assertThat(BOUND_TO_A.state().deadlineMs()).isEqualTo(NOW + TTL);
            assertThat(ROW).isEqualTo(new BindingRow(KEY, AT_A.version(), A, 0, NOW + TTL * 6 / 5 + 200));
        }

        @Test
        void aQuestionThatComesTwiceIsAnsweredAsItWas() {
            var again = BOUND_TO_A.state().bind(KEY, FIRST, propose(0, A), sight(NOW + 9, ROW));
            var rebound = again.state().bind(KEY, SECOND, propose(AT_A.version(), B), sight(NOW + 10, ROW));
            var reboundAgain = rebound.state().bind(KEY, SECOND, propose(AT_A.version(), B), sight(NOW + 11, ROW));

            assertThat(again.answer()).isEqualTo(BOUND_TO_A.answer());
            assertThat(((Bound) Objects.requireNonNull(rebound.answer())).how()).isEqualTo(How.REBOUND);
            assertThat(reboundAgain.answer()).isEqualTo(rebound.answer());
        }

        @Test
        void waitsTenSecondsForAnotherTurn() {
            var step = SessionState.UNBOUND.follow(KEY, FIRST, Known.NOTHING, sight(NOW, null));

            assertThat(step.state().deadlineMs()).isEqualTo(NOW + 10_000);
        }

        @Test
        void aTurnThatKnowsTheBindingHealsAndPublishesIt() {
            var step = SessionState.UNBOUND.keep(KEY, SECOND, AT_A, sight(NOW, null));

            assertThat(step.state().current()).isEqualTo(AT_A);
            assertThat(published(step).known()).isEqualTo(AT_A);
        }

        @Test
        void takesTheBindingThatTheReplicaHasNoLongerThanItsRow() {
            long late = ROW.deadlineMs() - 3;

            var step = SessionState.UNBOUND.keep(KEY, SECOND, Known.NOTHING, sight(late, ROW));

            assertThat(step.state().current()).isEqualTo(AT_A);
            assertThat(step.state().deadlineMs()).isEqualTo(ROW.deadlineMs());
        }

        @Test
        void remembersTheVersionOfARemovedRow() {
            var removed = new BindingRow(KEY, AT_A.version(), null, 0, ROW.deadlineMs());

            var step = SessionState.UNBOUND.follow(KEY, SECOND, Known.NOTHING, sight(NOW, removed));

            assertThat(step.answer()).isEqualTo(new Unbound(AT_A.version()));
            assertThat(step.publish()).isNull();
        }

        @Test
        void makesItsVersionAfterTheReplicasThoughItsClockIsBehind() {
            var removed = new BindingRow(KEY, AT_A.version(), null, 0, ROW.deadlineMs());

            var step = SessionState.UNBOUND.bind(KEY, SECOND, propose(0, B), sight(NOW - 500, removed));

            assertThat(step.state().version()).isGreaterThan(AT_A.version());
            assertThat(published(step).deadlineMs()).isGreaterThanOrEqualTo(ROW.deadlineMs());
        }
    }

    @Nested
    class WhenBoundToA {
        private final SessionState bound = BOUND_TO_A.state();

        @Test
        void theLoserOfARaceFollowsTheWinner() {
            var step = bound.bind(KEY, SECOND, propose(0, B), sight(NOW, ROW));

            assertThat(step.answer()).isEqualTo(new Bound(new Binding(A, 0, AT_A.version()), 0, How.FOLLOWED));
        }

        @Test
        void aTurnThatSawTheVersionRebinds() {
            var step = bound.bind(KEY, SECOND, propose(AT_A.version(), B), sight(NOW + 1, ROW));

            assertThat(step.answer()).isInstanceOfSatisfying(Bound.class, answer -> {
                assertThat(answer.how()).isEqualTo(How.REBOUND);
                assertThat(answer.binding().worker()).isEqualTo(B);
                assertThat(answer.version()).isGreaterThan(AT_A.version());
            });
        }

        @Test
        void theSecondOfTwoThatSawTheSameVersionFollowsTheFirst() {
            var rebound = bound.bind(KEY, SECOND, propose(AT_A.version(), B), sight(NOW + 1, ROW));

            var step = rebound.state().bind(KEY, FIRST, propose(AT_A.version(), A), sight(NOW + 2, published(rebound)));

            assertThat(step.answer()).isInstanceOfSatisfying(Bound.class, answer -> {
                assertThat(answer.how()).isEqualTo(How.FOLLOWED);
                assertThat(answer.binding().worker()).isEqualTo(B);
            });
        }

        @Test
        void theEndOfAnOlderTurnNeitherRefreshesNorReleases() {
            var rebound = bound.bind(KEY, SECOND, propose(AT_A.version(), B), sight(NOW + 1, ROW));

            var step = rebound.state()
                    .end(KEY, new TurnEnd(FIRST, AT_A, true, 99, true), sight(NOW + 5_000, published(rebound)));

            assertThat(step.state().current()).isEqualTo(rebound.state().current());
            assertThat(step.state().deadlineMs()).isEqualTo(NOW + 1 + TTL);
            assertThat(step.state().contextTokens()).isZero();
        }

        @Test
        void aRunningTurnIsKeptForAsLongAsItSaysSo() {
            var state = bound;
            @Nullable BindingRow row = ROW;
            for (long now = NOW; now < NOW + 20 * TTL; now += TTL / 4) {
                var step = state.keep(KEY, FIRST, AT_A, sight(now, row));
                state = step.state();
                row = step.publish() == null ? row : step.publish();
                assertThat(row.version()).isEqualTo(AT_A.version());
                assertThat(row.deadlineMs()).isGreaterThanOrEqualTo(now + TTL * 11 / 10);
            }

            assertThat(state.current()).isEqualTo(AT_A);
        }

        @Test
        void aRefreshIsPublishedOnlyNearTheRowsEnd() {
            var soon = bound.follow(KEY, SECOND, AT_A, sight(NOW + TTL / 20, ROW));
            var later = bound.follow(KEY, SECOND, AT_A, sight(NOW + TTL / 5, ROW));

            assertThat(soon.publish()).isNull();
            assertThat(published(later).version()).isEqualTo(AT_A.version());
        }

        @Test
        void theNextTurnHearsHowLongTheContextIs() {
            var ended = bound.end(KEY, new TurnEnd(FIRST, AT_A, true, 1_234, false), sight(NOW, ROW));

            var step = ended.state().follow(KEY, SECOND, AT_A, sight(NOW, ROW));

            assertThat(step.answer()).isEqualTo(new Bound(new Binding(A, 0, AT_A.version()), 1_234, How.FOLLOWED));
        }

        @Test
        void isRemovedWhenNoWorkerServedTheTurnThatMadeIt() {
            var step = bound.end(KEY, new TurnEnd(FIRST, AT_A, false, 0, false), sight(NOW, ROW));

            assertThat(step.state().bound()).isFalse();
            assertThat(published(step).removed()).isTrue();
        }

        @Test
        void isRemovedToWhenThatTurnNeverHeardItsVersion() {
            var step = bound.end(KEY, new TurnEnd(FIRST, Known.NOTHING, false, 0, false), sight(NOW, ROW));

            assertThat(published(step).removed()).isTrue();
        }

        @Test
        void staysWhenAnotherTurnHasUsedItMeanwhile() {
            var used = bound.follow(KEY, SECOND, AT_A, sight(NOW, ROW));

            var step = used.state().end(KEY, new TurnEnd(FIRST, AT_A, false, 0, false), sight(NOW, ROW));

            assertThat(step.state().current()).isEqualTo(AT_A);
        }

        @Test
        void staysWhenALaterTurnWasNotServed() {
            var step = bound.end(KEY, new TurnEnd(SECOND, AT_A, false, 0, false), sight(NOW, ROW));

            assertThat(step.state().current()).isEqualTo(AT_A);
        }

        @Test
        void endsWithItsLastTurn() {
            var step = bound.end(KEY, new TurnEnd(SECOND, AT_A, true, 10, true), sight(NOW + 1, ROW));

            assertThat(step.state().bound()).isFalse();
            assertThat(published(step).version()).isGreaterThan(AT_A.version());
            assertThat(published(step).deadlineMs()).isGreaterThanOrEqualTo(ROW.deadlineMs());
        }

        @Test
        void endsWhenTheOperatorSaysSo() {
            var step = bound.unbind(KEY, sight(NOW, ROW));

            assertThat(step.answer()).isEqualTo(new Unbound(published(step).version()));
            assertThat(published(step).removed()).isTrue();
        }

        @Test
        void expiresAtTheDeadlineAndLeavesNothingToWaitFor() {
            var step = bound.expire(KEY, sight(NOW + TTL, ROW));

            assertThat(published(step).removed()).isTrue();
            assertThat(step.state().deadlineMs()).isLessThanOrEqualTo(NOW + TTL);
        }

        @Test
        void doesNotExpireBefore() {
            var step = bound.expire(KEY, sight(NOW + TTL - 1, ROW));

            assertThat(step.state()).isEqualTo(bound);
        }

        @Test
        void livesOnWhenAnotherAuthorityHasRefreshedIt() {
            var refreshed = new BindingRow(KEY, AT_A.version(), A, 0, ROW.deadlineMs() + TTL);

            var step = bound.expire(KEY, sight(NOW + TTL, refreshed));

            assertThat(step.state().current()).isEqualTo(AT_A);
            assertThat(step.state().deadlineMs()).isEqualTo(NOW + 2 * TTL);
        }

        @Test
        void givesWayToANewerVersionInTheReplica() {
            var newer = new BindingRow(KEY, AT_A.version() + (1 << 16), B, 0, ROW.deadlineMs() + 5);

            var step = bound.follow(KEY, SECOND, AT_A, sight(NOW + 1, newer));

            assertThat(step.answer()).isEqualTo(new Bound(new Binding(B, 0, newer.version()), 0, How.FOLLOWED));
        }

        @Test
        void isPublishedAgainWhenTheReplicaHasLostIt() {
            var step = bound.keep(KEY, FIRST, AT_A, sight(NOW + 1, null));

            assertThat(published(step).known()).isEqualTo(AT_A);
        }
    }

    private static Proposal propose(long seen, WorkerId worker) {
        return new Proposal(seen, worker, 0, Known.NOTHING);
    }

    private static Sight sight(long now, @Nullable BindingRow row) {
        return new Sight(now, row, 0xBEEF, 100);
    }

    private static BindingRow published(Step step) {
        var row = step.publish();
        assertThat(row).isNotNull();
        return Objects.requireNonNull(row);
    }
}
