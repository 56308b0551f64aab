package io.kvrouter.cluster.load.lag;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockOffsetTest {
    private final ClockOffset offset = new ClockOffset();

    @Test
    void lateNewsAreNoClockThatIsBehind() {
        offset.heard(1_000, 1_005);
        offset.heard(2_000, 14_000);
        offset.heard(3_000, 15_000);

        assertThat(offset.ms()).isEqualTo(-5);
    }

    @Test
    void aClockThatIsAheadIsSeenAtOnce() {
        offset.heard(1_000, 1_005);
        offset.heard(22_000, 2_005);

        assertThat(offset.ms()).isEqualTo(19_995);
    }

    @Test
    void aClockThatStepsBackIsBelievedAfterTwoMinutes() {
        offset.heard(1_000, 1_000);
        for (long own = 2_000; own < 130_000; own += 1_000) {
            offset.heard(own - 20_000, own);
        }

        assertThat(offset.ms()).isEqualTo(-20_000);
    }
}
