package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class StreamsBenchCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void opensStreamsAndTellsWhatTheyTake() {
        int code = run("--streams=50", "--slow=2");

        assertThat(err.toString()).contains("50 streams are open", "2 readers do not read");
        assertThat(code).isZero();
        assertThat(out.toString()).contains("50 idle streams", "an idle stream: ", "a reader that does not read: ");
    }

    @Test
    void aBadValueIsCodeTwo() {
        assertThat(run("--streams=0")).isEqualTo(2);
        assertThat(err.toString()).contains("idle 0");
    }

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "bench";
        all[1] = "streams";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }
}
