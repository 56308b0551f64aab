package io.kvrouter.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FailureRateTest {
    private final FailureRate rate = new FailureRate(BreakerSettings.DEFAULT);
    private long now = 1_000_000;

    private boolean anyOf(int times, Outcome outcome) {
        boolean tripped = false;
        for (int i = 0; i < times; i++) {
            tripped |= rate.trips(outcome, now);
        }
        return tripped;
    }

    @Test
    void fiveFailuresInTenSecondsAreEnough() {
        assertThat(anyOf(4, Outcome.FAILED)).isFalse();
        now += 9_000;

        assertThat(rate.trips(Outcome.FAILED, now)).isTrue();
    }

    @Test
    void failuresOfLongAgoDoNotCount() {
        anyOf(4, Outcome.FAILED);
        now += 10_000;

        assertThat(anyOf(4, Outcome.FAILED)).isFalse();
    }

    @Test
    void fewFailuresAmongManyAnswersAreNone() {
        anyOf(100, Outcome.ANSWERED);

        assertThat(anyOf(99, Outcome.FAILED)).isFalse();
        assertThat(rate.trips(Outcome.FAILED, now)).isTrue();
    }

    @Test
    void anAnswerThatBrokeOffIsOneCall() {
        anyOf(8, Outcome.ANSWERED);

        assertThat(anyOf(4, Outcome.BROKE_OFF)).isFalse();
        assertThat(rate.trips(Outcome.BROKE_OFF, now)).isTrue();
    }

    @Test
    void whatSaysNothingCountsNothing() {
        assertThat(anyOf(1_000, Outcome.NEUTRAL)).isFalse();
        assertThat(anyOf(4, Outcome.FAILED)).isFalse();
    }

    @Test
    void countingBeginsAnewOnceItHasTripped() {
        assertThat(anyOf(5, Outcome.FAILED)).isTrue();

        assertThat(anyOf(4, Outcome.FAILED)).isFalse();
    }

    @Test
    void zeroFailuresIsNever() {
        var second = Duration.ofSeconds(1);
        var never = new FailureRate(new BreakerSettings(0, 0.1, second, second, second));

        for (int i = 0; i < 100; i++) {
            assertThat(never.trips(Outcome.FAILED, now)).isFalse();
        }
    }
}
