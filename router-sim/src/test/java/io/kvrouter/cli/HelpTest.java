package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class HelpTest {
    static Stream<CommandLine> commands() {
        return below(Main.commandLine());
    }

    private static Stream<CommandLine> below(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(HelpTest::below));
    }

    /** One per cent sign that is not doubled, and a whole text is shown as it stands in the source. */
    @ParameterizedTest
    @MethodSource("commands")
    void everyTextOfTheHelpIsFormatted(CommandLine command) {
        assertThat(command.getUsageMessage()).doesNotContain("%n", "%%", "${");
    }
}
