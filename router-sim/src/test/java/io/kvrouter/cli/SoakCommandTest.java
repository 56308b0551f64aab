package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoakCommandTest {
    private final Shell shell = new Shell("bench", "soak");

    @Test
    void clientsThatLeaveAndCallersThatDieLeaveNothingBehind(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("soak.json");

        int code = shell.run("--nodes=1", "--workers=3", "--clients=9", "--rounds=2", "--seconds=5", "--json=" + file);

        assertThat(code).as(shell.out() + shell.err()).isZero();
        var json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.path("sound").asBoolean()).isTrue();
        assertThat(json.path("rounds")).hasSize(2);
        assertThat(json.path("rounds")
                        .path(1)
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
        assertThat(shell.run(option, value)).isEqualTo(2);
    }
}
