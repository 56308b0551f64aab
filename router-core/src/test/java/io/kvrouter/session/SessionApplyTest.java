package io.kvrouter.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.session.SessionState.Application;
import io.kvrouter.session.SessionState.Applied;
import io.kvrouter.session.SessionState.Applied.Outcome;
import io.kvrouter.session.SessionState.Sight;
import io.kvrouter.worker.WorkerId;
import java.util.Objects;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Bindings that were made elsewhere, judged by their version. */
class SessionApplyTest {
    private static final SessionKey KEY = new SessionKey(1, 2);
    private static final WorkerId A = new WorkerId("a");
    private static final WorkerId B = new WorkerId("b");
    private static final long TTL = 10_000;
    private static final long NOW = 1_000_000;
    private static final long MINE = Version.after(Version.NONE, NOW, 7);
    private static final long NEWER = Version.after(MINE, NOW, 8);
    private static final long OLDER = MINE - 1;
    private static final Known AT_A = new Known(MINE, A, 0);
    private static final Application TAKEN = SessionState.UNBOUND.apply(KEY, AT_A, TTL, sight(NOW, null));
    private static final SessionState BOUND = TAKEN.step().state();
    private static final BindingRow ROW = Objects.requireNonNull(TAKEN.step().publish());

    @Test
    void whereNothingIsKnownItIsTakenAndPublished() {
        assertThat(TAKEN.applied()).isEqualTo(new Applied(Outcome.TAKEN, AT_A));
        assertThat(BOUND.deadlineMs()).isEqualTo(NOW + TTL);
        assertThat(ROW.known()).isEqualTo(AT_A);
    }

    @Test
    void theSameAgainIsASignOfLife() {
        var again = BOUND.apply(KEY, AT_A, TTL, sight(NOW + 5_000, ROW));

        assertThat(again.applied()).isEqualTo(new Applied(Outcome.REFRESHED, AT_A));
        assertThat(again.step().state().deadlineMs()).isEqualTo(NOW + 5_000 + TTL);
    }

    @Test
    void aRefreshIsPublishedWhenTheRowRunsLow() {
        var again = BOUND.apply(KEY, AT_A, TTL, sight(NOW + 5_000, ROW));

        var row = Objects.requireNonNull(again.step().publish());
        assertThat(row.version()).isEqualTo(MINE);
        assertThat(row.deadlineMs()).isGreaterThan(ROW.deadlineMs());
    }

    @Test
    void theSamePlaceAtANewerVersionIsASignOfLifeAndTheVersionCounts() {
        var renewed = BOUND.apply(KEY, new Known(NEWER, A, 0), TTL, sight(NOW + 1, ROW));

        assertThat(renewed.applied()).isEqualTo(new Applied(Outcome.REFRESHED, new Known(NEWER, A, 0)));
        assertThat(renewed.step().publish()).isNotNull();
    }

    @Test
    void anotherWorkerReplacesItOnlyWithANewerVersion() {
        assertThat(BOUND.apply(KEY, new Known(NEWER, B, 0), TTL, sight(NOW + 1, ROW))
                        .applied())
                .isEqualTo(new Applied(Outcome.REPLACED, new Known(NEWER, B, 0)));
        assertThat(BOUND.apply(KEY, new Known(MINE, B, 0), TTL, sight(NOW + 1, ROW))
                        .applied())
                .isEqualTo(new Applied(Outcome.IGNORED, AT_A));
        assertThat(BOUND.apply(KEY, new Known(MINE, A, 1), TTL, sight(NOW + 1, ROW))
                        .applied()
                        .how())
                .isEqualTo(Outcome.IGNORED);
    }

    @Test
    void anOlderVersionChangesNothing() {
        var late = BOUND.apply(KEY, new Known(OLDER, A, 0), TTL, sight(NOW + 5_000, ROW));

        assertThat(late.applied()).isEqualTo(new Applied(Outcome.IGNORED, AT_A));
        assertThat(late.step().state().deadlineMs()).isEqualTo(BOUND.deadlineMs());
    }

    @Test
    void aRemovalIsAVersionLikeAnyOther() {
        var removed = BOUND.apply(KEY, Known.removed(NEWER), TTL, sight(NOW + 1, ROW));

        assertThat(removed.applied()).isEqualTo(new Applied(Outcome.REPLACED, Known.removed(NEWER)));
        var row = Objects.requireNonNull(removed.step().publish());
        assertThat(row.removed()).isTrue();
        assertThat(row.deadlineMs()).isGreaterThanOrEqualTo(ROW.deadlineMs());
    }

    @Test
    void whatWasRemovedComesBackOnlyWithANewerVersion() {
        var removedRow = new BindingRow(KEY, MINE, null, 0, ROW.deadlineMs());

        assertThat(SessionState.UNBOUND
                        .apply(KEY, AT_A, TTL, sight(NOW + 1, removedRow))
                        .applied())
                .isEqualTo(new Applied(Outcome.IGNORED, Known.removed(MINE)));
        assertThat(SessionState.UNBOUND
                        .apply(KEY, new Known(NEWER, A, 0), TTL, sight(NOW + 1, removedRow))
                        .applied()
                        .how())
                .isEqualTo(Outcome.REPLACED);
    }

    @Test
    void whatHasExpiredComesBackOnlyWithANewerVersion() {
        long late = ROW.deadlineMs();

        assertThat(SessionState.UNBOUND
                        .apply(KEY, AT_A, TTL, sight(late, ROW))
                        .applied()
                        .how())
                .isEqualTo(Outcome.IGNORED);
        assertThat(SessionState.UNBOUND
                        .apply(KEY, new Known(NEWER, A, 0), TTL, sight(late, ROW))
                        .applied()
                        .how())
                .isEqualTo(Outcome.REPLACED);
    }

    @Test
    void aFirstTurnThatNobodyServedLeavesWhatOthersUse() {
        var first = new Turn(new TurnId(1, 1), TTL);
        var made = SessionState.UNBOUND.bind(KEY, first, new Proposal(0, A, 0, Known.NOTHING), sight(NOW, null));
        var known = made.state().current();
        var renewed = made.state().apply(KEY, known, TTL, sight(NOW + 1, made.publish()));

        var ended = renewed.step().state().end(KEY, new TurnEnd(first, known, false, 0, false), sight(NOW + 2, ROW));

        assertThat(ended.state().bound()).isTrue();
    }

    /** In whatever order, and however often: the greatest version is known in the end. */
    @RepeatedTest(200)
    void ordersAndRepetitionsComeToTheSame(RepetitionInfo run) {
        var random = RandomGeneratorFactory.of("L64X128MixRandom").create(run.getCurrentRepetition());
        var state = SessionState.UNBOUND;
        BindingRow row = null;
        long greatest = 0;
        for (int i = 0; i < 50; i++) {
            long version = Version.after(Version.NONE, NOW + random.nextInt(20), 7);
            // One version has one meaning.
            var known = version % 3 == 0 ? Known.removed(version) : new Known(version, version % 3 == 1 ? A : B, 0);
            greatest = Math.max(greatest, version);

            var applied = state.apply(KEY, known, TTL, sight(NOW + 100 + i, row));
            state = applied.step().state();
            row = applied.step().publish() == null ? row : applied.step().publish();

            assertThat(applied.applied().now()).isEqualTo(state.current());
        }
        assertThat(state.version()).isEqualTo(greatest);
        assertThat(Objects.requireNonNull(row).known()).isEqualTo(state.current());
    }

    private static Sight sight(long now, @Nullable BindingRow row) {
        return new Sight(now, row, 0xBEEF, 100);
    }
}
