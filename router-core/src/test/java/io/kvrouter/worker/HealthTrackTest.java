package io.kvrouter.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.worker.Worker.Health;
import org.junit.jupiter.api.Test;

class HealthTrackTest {
    private static final HealthTrack UP = HealthTrack.PENDING.afterSuccess();

    @Test
    void aWorkerThatNeverAnsweredStaysPending() {
        assertThat(HealthTrack.PENDING
                        .afterFailure(1, "mute")
                        .afterRefusal(3, "refused")
                        .health())
                .isEqualTo(Health.PENDING);
    }

    @Test
    void oneSuccessIsUp() {
        assertThat(UP.health()).isEqualTo(Health.UP);
        assertThat(UP.afterRefusal(3, "refused").afterSuccess()).isEqualTo(UP);
    }

    @Test
    void failuresInARowAreDownAtTheLimit() {
        assertThat(UP.afterFailure(3, "mute").afterFailure(3, "mute").health()).isEqualTo(Health.UP);
        assertThat(UP.afterFailure(3, "mute")
                        .afterFailure(3, "mute")
                        .afterFailure(3, "mute")
                        .health())
                .isEqualTo(Health.DOWN);
    }

    @Test
    void aSuccessBetweenFailuresStartsTheCountAnew() {
        assertThat(UP.afterFailure(2, "mute")
                        .afterSuccess()
                        .afterFailure(2, "mute")
                        .health())
                .isEqualTo(Health.UP);
    }

    @Test
    void oneRefusalIsDown() {
        assertThat(UP.afterRefusal(3, "refused").health()).isEqualTo(Health.DOWN);
    }

    @Test
    void onePendingIsInTroubleWhenItHasFailedAsOftenAsTakesOneDown() {
        var twice = HealthTrack.PENDING.afterFailure(3, "mute").afterRefusal(3, "refused");

        assertThat(twice.trouble()).isEmpty();
        assertThat(twice.afterFailure(3, "mute").trouble()).contains("mute");
        assertThat(twice.afterFailure(3, "mute").afterSuccess().trouble()).isEmpty();
    }
}
