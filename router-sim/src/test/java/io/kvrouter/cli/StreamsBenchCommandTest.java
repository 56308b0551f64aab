package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StreamsBenchCommandTest {
    private final Shell shell = new Shell("bench", "streams");

    @Test
    void opensStreamsAndTellsWhatTheyTake() {
        int code = shell.run("--streams=50", "--slow=2");

        assertThat(shell.err()).contains("50 streams are open", "2 readers do not read");
        assertThat(code).isZero();
        assertThat(shell.out()).contains("50 idle streams", "an idle stream: ", "a reader that does not read: ");
    }

    @Test
    void aBadValueIsCodeTwo() {
        assertThat(shell.run("--streams=0")).isEqualTo(2);
        assertThat(shell.err()).contains("idle 0");
    }
}
