package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

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

class SoakCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void clientsThatLeaveAndCallersThatDieLeaveNothingBehind(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("soak.json");

        int code = run("--nodes=1", "--workers=3", "--clients=9", "--rounds=1", "--seconds=4", "--json=" + file);

        assertThat(code).as(out.toString() + err).isZero();
        var json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.path("sound").asBoolean()).isTrue();
        assertThat(json.path("rounds")).hasSize(1);
        assertThat(json.path("rounds")
                        .path(0)
                        .path("nodes")
                        .path(0)
                        .path("actors")
                        .asInt())
                .isPositive();
        assertThat(json.path("happened").path("answered 200").asInt()).isPositive();
        assertThat(json.path("happened").path("reserved").asInt()).isPositive();
        assertThat(json.path("happened").path("left mid stream").asInt()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"--nodes, 0", "--workers, 0", "--clients, 0", "--rounds, 0", "--seconds, 0", "--fault-every, -1"})
    void aBadValueIsCodeTwo(String option, String value) {
        assertThat(run(option, value)).isEqualTo(2);
    }

    private int run(String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(Stream.concat(Stream.of("bench", "soak"), List.of(arguments).stream())
                        .toArray(String[]::new));
    }
}
