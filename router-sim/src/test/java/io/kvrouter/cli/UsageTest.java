package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is typed wrongly is said in a few lines: the whole usage would scroll it away. */
class UsageTest {
    private static final int BAD_USAGE = 2;

    @Test
    void anUnknownOptionIsNamedAndHelpIsNear() {
        var shell = new Shell("node");

        assertThat(shell.run("--nope")).isEqualTo(BAD_USAGE);
        assertThat(shell.err().lines())
                .hasSizeLessThanOrEqualTo(3)
                .first()
                .asString()
                .contains("--nope");
        assertThat(shell.err().lines().toList()).last().isEqualTo("see ./router node --help");
    }

    @Test
    void anUnknownCommandToo() {
        var shell = new Shell();

        assertThat(shell.run("nodde")).isEqualTo(BAD_USAGE);
        assertThat(shell.err().lines().toList())
                .hasSizeLessThanOrEqualTo(3)
                .last()
                .isEqualTo("see ./router --help");
    }
}
