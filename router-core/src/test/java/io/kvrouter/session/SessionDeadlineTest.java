package io.kvrouter.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.session.SessionState.Sight;
import io.kvrouter.session.SessionState.Step;
import io.kvrouter.worker.WorkerId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Deadlines where clocks, time-outs or rows disagree. */
class SessionDeadlineTest {
    private static final SessionKey KEY = new SessionKey(7, 9);
    private static final long TTL = 10_000;
    private static final long NOW = 1_000_000;
    private static final Turn FIRST = new Turn(new TurnId(1, 1), TTL);
    private static final Turn SECOND = new Turn(new TurnId(1, 2), TTL);
    private static final Step BOUND = SessionState.UNBOUND.bind(
            KEY, FIRST, new Proposal(0, new WorkerId("a"), 0, Known.NOTHING), sight(NOW, null));
    private static final BindingRow ROW = Objects.requireNonNull(BOUND.publish());

    @Test
    void aTurnWithAShorterTimeOutDoesNotBringTheEndNearer() {
        var step = BOUND.state().follow(KEY, new Turn(SECOND.id(), TTL / 10), ROW.known(), sight(NOW, ROW));

        assertThat(step.state().deadlineMs()).isEqualTo(NOW + TTL);
    }

    @Test
    void anExpiredSessionWhoseRowWasDroppedPublishesNoRemoval() {
        var step = BOUND.state().expire(KEY, sight(NOW + TTL, null));

        assertThat(step.publish()).isNull();
        assertThat(step.state().bound()).isFalse();
        assertThat(step.state().deadlineMs()).isLessThanOrEqualTo(NOW + TTL);
    }

    @Test
    void aRemovalThatWasOnlyHeardOfIsNotPublishedAgain() {
        var step = SessionState.UNBOUND.keep(KEY, SECOND, Known.removed(ROW.version()), sight(NOW, null));

        assertThat(step.state().version()).isEqualTo(ROW.version());
        assertThat(step.publish()).isNull();
    }

    @Test
    void aTurnBringsItsRowBackThatLooksExpiredByAClockThatIsAhead() {
        var step = SessionState.UNBOUND.follow(KEY, SECOND, ROW.known(), sight(ROW.deadlineMs() + 5, ROW));

        assertThat(step.state().current()).isEqualTo(ROW.known());
        assertThat(Objects.requireNonNull(step.publish()).version()).isEqualTo(ROW.version());
    }

    private static Sight sight(long now, @Nullable BindingRow row) {
        return new Sight(now, row, 0xBEEF, 100);
    }
}
