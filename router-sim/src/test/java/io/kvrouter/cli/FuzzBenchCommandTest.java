package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code ./router bench fuzz} sends a million. */
class FuzzBenchCommandTest {
    @Test
    void theRouterFailsAtNothingThatIsNotQuiteHttp() {
        var shell = new Shell("bench", "fuzz");

        int code = shell.run("--count=" + System.getProperty("kvrouter.fuzz", "2000"), "--seed=3");

        assertThat(code).as(shell.out()).isZero();
    }
}
