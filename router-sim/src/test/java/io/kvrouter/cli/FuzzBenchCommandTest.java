package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** {@code ./router bench fuzz} sends a million. */
class FuzzBenchCommandTest {
    @Test
    void theRouterFailsAtNothingThatIsNotQuiteHttp() {
        var out = new StringWriter();

        int code = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .execute("bench", "fuzz", "--count=" + System.getProperty("kvrouter.fuzz", "2000"), "--seed=3");

        assertThat(code).as("%s", out).isZero();
    }
}
