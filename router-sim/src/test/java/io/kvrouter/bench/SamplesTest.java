package io.kvrouter.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SamplesTest {
    @ParameterizedTest
    @CsvSource({"0.1, 1", "50, 500", "50.1, 501", "99, 990", "99.9, 999", "100, 1000"})
    void aPercentileIsTheSampleOfThatRank(double percent, long expected) {
        var samples =
                Samples.of(LongStream.rangeClosed(1, 1_000).map(i -> 1_001 - i).toArray());

        assertThat(samples.percentile(percent)).isEqualTo(expected);
    }

    @Test
    void ofOneSampleEveryPercentileIsThatSample() {
        var samples = Samples.of(7);

        assertThat(samples.percentile(1)).isEqualTo(7);
        assertThat(samples.percentile(99)).isEqualTo(7);
    }

    @Test
    void withoutSamplesPercentilesAreZero() {
        assertThat(Samples.of().percentile(50)).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 100.1, Double.NaN})
    void refusesWhatIsNoPercentile(double percent) {
        assertThatThrownBy(() -> Samples.of(1).percentile(percent)).hasMessageContaining("" + percent);
    }

    @Test
    void keepsEverySampleAndNotTheCallersArray() {
        long[] nanos = {3, 1, 2, 1};

        var samples = Samples.of(nanos);
        nanos[0] = 99;

        assertThat(samples.stream()).containsExactly(1L, 1L, 2L, 3L);
    }
}
