package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultsBenchCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void everyFailureHasItsFaultAndNothingIsLeftBehind() {
        int code = run("--rate=60", "--seconds=6", "--workers=4", "--seed=7");

        assertThat(code).as("%s", out).isZero();
        assertThat(out.toString())
                .contains("360 requests while there were faults", "workers that died", "at the end: none");
    }

    @ParameterizedTest
    @CsvSource({"--rate, 0", "--seconds, 0", "--workers, 3"})
    void aBadValueIsCodeTwo(String option, String value) {
        assertThat(run(option, value)).isEqualTo(2);
        assertThat(err.toString()).contains(value);
    }

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "bench";
        all[1] = "faults";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }
}
