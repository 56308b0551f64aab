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

class OverloadBenchCommandTest {
    private final Shell shell = new Shell("bench", "overload");

    @Test
    void noWorkerHasMoreThanItsCapUnderAnyLoad(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("overload.json");

        shell.run("--workers=2", "--sequences=2", "--queue=4", "--factors=1,4", "--seconds=1", "--json=" + file);

        var rows = new ObjectMapper().readTree(file.toFile()).path("rows");
        assertThat(rows).as(shell.out() + shell.err()).hasSize(4);
        for (JsonNode row : rows) {
            assertThat(row.path("load").path("goodput").asDouble()).isPositive();
            if (row.path("admission").asBoolean()) {
                assertThat(row.path("load").path("peak").path("onWorker").asInt())
                        .isBetween(1, 2);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"--workers, 0", "--sequences, 0", "--queue, -1", "--factors, 0", "--seconds, 0", "--patience, 0"})
    void aBadValueIsCodeTwo(String option, String value) {
        assertThat(shell.run(option, value)).isEqualTo(2);
    }
}
