package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultsBenchCommandTest {
    private final Shell shell = new Shell("bench", "faults");

    @Test
    void everyFailureHasItsFaultAndNothingIsLeftBehind() {
        int code = shell.run("--rate=60", "--seconds=6", "--workers=4", "--seed=7");

        assertThat(code).as(shell.out()).isZero();
        assertThat(shell.out())
                .contains("360 requests while there were faults", "workers that died", "at the end: none");
    }

    @ParameterizedTest
    @CsvSource({"--rate, 0", "--seconds, 0", "--workers, 3"})
    void aBadValueIsCodeTwo(String option, String value) {
        assertThat(shell.run(option, value)).isEqualTo(2);
        assertThat(shell.err()).contains(value);
    }
}
