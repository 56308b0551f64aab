package io.kvrouter.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RowResultTest {
    private static final WorkerLog.Counts TWO = new WorkerLog.Counts(2, 2);

    private final RowResult none = RowResult.none(Row.PINNED);

    @Test
    void aPercentileIsTheMedianOfTheRoundsPercentiles() {
        var result = none.and(round(1, 100), TWO, 0).and(round(3, 900), TWO, 0).and(round(2, 200), TWO, 0);

        assertThat(result.percentileMs(50)).isEqualTo(2);
        assertThat(result.percentileMs(99)).isEqualTo(200);
    }

    @Test
    void ofAnEvenNumberOfRoundsTheMedianIsBetweenTheMiddleTwo() {
        var result = none.and(round(1, 100), TWO, 0).and(round(2, 200), TWO, 0);

        assertThat(result.percentileMs(50)).isEqualTo(1.5);
    }

    @Test
    void cpuTimeIsSharedByAllRequests() {
        var result = none.and(round(1, 1), TWO, 3_000).and(round(1, 1), TWO, 5_000);

        assertThat(result.routerCpuMicrosPerRequest()).isEqualTo(2);
    }

    @Test
    void decisionsAddUp() {
        var round = new Round(Samples.of(1), 0, Map.of("pinned", 1), 1);

        assertThat(none.and(round, TWO, 0).and(round, TWO, 0).decisions()).isEqualTo(Map.of("pinned", 2));
    }

    @Test
    void isSoundWhenTheWorkerFinishedEveryRequestOnce() {
        assertThat(none.and(round(1, 1), TWO, 0).sound()).isTrue();
    }

    @Test
    void isNotSoundWhenTheWorkerSawOneTwice() {
        assertThat(none.and(round(1, 1), new WorkerLog.Counts(3, 2), 0).sound()).isFalse();
    }

    @Test
    void isNotSoundWhenTheWorkerDidNotFinishOne() {
        assertThat(none.and(round(1, 1), new WorkerLog.Counts(2, 1), 0).sound()).isFalse();
    }

    @Test
    void isNotSoundWhenARequestFailed() {
        var round = new Round(Samples.of(1), 1, Map.of(), 1);

        assertThat(none.and(round, TWO, 0).sound()).isFalse();
    }

    private static Round round(long firstMs, long secondMs) {
        return new Round(Samples.of(firstMs * 1_000_000, secondMs * 1_000_000), 0, Map.of(), 1);
    }
}
