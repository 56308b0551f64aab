package io.kvrouter.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    private final Pace pace = new Pace();

    @Test
    void aSecondUntilMoreIsKnown() {
        assertThat(pace.secondsUntilRoom(1_000, 8)).isOne();
    }

    @Test
    void byHowLongEachStaysAndHowManyAreInside() {
        pace.held(2_000);

        assertThat(pace.perSecond(8)).isEqualTo(4);
        assertThat(pace.secondsUntilRoom(39, 8)).isEqualTo(10);
    }

    @Test
    void neverLessThanASecondAndNeverMoreThanAMinute() {
        pace.held(1);
        assertThat(pace.secondsUntilRoom(0, 8)).isOne();

        pace.held(100_000_000);
        assertThat(pace.secondsUntilRoom(1_000, 1)).isEqualTo(60);
    }

    @Test
    void followsWhatChanges() {
        pace.held(100);
        for (int i = 0; i < 100; i++) {
            pace.held(10_000);
        }

        assertThat(pace.perSecond(10)).isBetween(1.0, 1.05);
    }
}
