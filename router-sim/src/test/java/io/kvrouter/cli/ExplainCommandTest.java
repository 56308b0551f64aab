package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {
    private final Shell shell = new Shell("explain");

    @Test
    void aMissingFileIsNoMatterOfTheNode(@TempDir Path directory) {
        String file = directory.resolve("none.json").toString();

        assertThat(shell.run(file)).isEqualTo(2);
        assertThat(shell.err()).startsWith(file + ": no such file").doesNotContain("asking");
    }

    @Test
    void neitherIsOneThatCannotBeRead(@TempDir Path directory) {
        assertThat(shell.run(directory.toString())).isEqualTo(2);
        assertThat(shell.err()).startsWith(directory + ": can't be read").doesNotContain("asking");
    }
}
