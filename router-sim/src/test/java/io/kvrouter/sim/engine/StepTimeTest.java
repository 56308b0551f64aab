package io.kvrouter.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepTimeTest {
    @ParameterizedTest
    @CsvSource({"1, 16.517", "512, 24.386", "2048, 49.363", "8192, 169.137"})
    void prefillTakesTheMockersTime(long tokens, double ms) {
        assertThat(StepTime.prefillMs(tokens)).isCloseTo(ms, within(0.001));
    }

    @Test
    void noPrefillTakesNoTime() {
        assertThat(StepTime.prefillMs(0)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, 5.74", "0.5, 26.310", "1, 34.010"})
    void decodeTakesTheMockersTime(double usedShare, double ms) {
        assertThat(StepTime.decodeMs(usedShare)).isCloseTo(ms, within(0.001));
    }
}
