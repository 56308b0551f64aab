package io.kvrouter.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.worker.Worker.Health;
import org.junit.jupiter.api.Test;

class HealthTrackTest {
    private static final HealthTrack UP = HealthTrack.PENDING.afterSuccess();

    @Test
    void aWorkerThatNeverAnsweredStaysPending() {
        assertThat(HealthTrack.PENDING.afterFailure(1).afterRefusal().health()).isEqualTo(Health.PENDING);
    }

    @Test
    void oneSuccessIsUp() {
        assertThat(UP.health()).isEqualTo(Health.UP);
        assertThat(UP.afterRefusal().afterSuccess()).isEqualTo(UP);
    }

    @Test
    void failuresInARowAreDownAtTheLimit() {
        assertThat(UP.afterFailure(3).afterFailure(3).health()).isEqualTo(Health.UP);
        assertThat(UP.afterFailure(3).afterFailure(3).afterFailure(3).health()).isEqualTo(Health.DOWN);
    }

    @Test
    void aSuccessBetweenFailuresStartsTheCountAnew() {
        assertThat(UP.afterFailure(2).afterSuccess().afterFailure(2).health()).isEqualTo(Health.UP);
    }

    @Test
    void oneRefusalIsDown() {
        assertThat(UP.afterRefusal().health()).isEqualTo(Health.DOWN);
    }
}
