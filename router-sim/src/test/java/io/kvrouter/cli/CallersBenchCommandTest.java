package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallersBenchCommandTest {
    private final Shell shell = new Shell("bench", "callers");

    @Test
    void bothCallersAreAnsweredInEachPhaseAndTheCapIsKept(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("callers.json");

        shell.run(("--nodes=2 --sequences=2 --greedy=8 --modest=1 --tokens=4 --seconds=0.5 --json=" + file).split(" "));

        JsonNode report = new ObjectMapper().readTree(file.toFile());
        assertThat(report.path("most").asInt()).as(shell.out() + shell.err()).isEqualTo(2);
        assertThat(report.path("rows")).hasSize(7);
        for (JsonNode row : report.path("rows")) {
            assertThat(row.path("answered").asInt()).as(row.toString()).isPositive();
            assertThat(row.path("failed")).as(row.toString()).isEmpty();
            assertThat(row.path("share").asDouble()).isBetween(0.0, 1.0);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--nodes, 0",
        "--workers, 0",
        "--sequences, 0",
        "--greedy, 8",
        "--modest, 0",
        "--tokens, 0",
        "--seconds, 0"
    })
    void aBadValueIsCodeTwo(String option, String value) {
        assertThat(shell.run(option, value)).isEqualTo(2);
    }
}
