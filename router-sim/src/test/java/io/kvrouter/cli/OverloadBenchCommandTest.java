package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverloadBenchCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void noWorkerHasMoreThanItsCapUnderAnyLoad(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("overload.json");

        run("--workers=2", "--sequences=2", "--queue=4", "--factors=1,4", "--seconds=1", "--json=" + file);

        var rows = new ObjectMapper().readTree(file.toFile()).path("rows");
        assertThat(rows).as(out.toString() + err).hasSize(4);
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
        assertThat(run(option, value)).isEqualTo(2);
    }

    private int run(String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(Stream.concat(Stream.of("bench", "overload"), List.of(arguments).stream())
                        .toArray(String[]::new));
    }
}
