package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionsBenchCommandTest {
    private final Shell shell = new Shell("bench", "sessions");

    @Test
    void makesSessionsAndTellsWhatAPauseDidToThem(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("sessions.json");

        int code = shell.run(
                "--nodes=2",
                "--workers=2",
                "--sessions=50",
                "--rate=20",
                "--new=0",
                "--before=1",
                "--after=1",
                "--fault=PAUSE",
                "--pause=0.2",
                "--json=" + file);

        assertThat(code).as(shell.out() + shell.err()).isZero();
        var json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.path("fill").path("succeeded").asInt()).isEqualTo(50);
        assertThat(json.path("fill").path("ask_local").path("count").asInt()
                        + json.path("fill").path("ask_remote").path("count").asInt())
                .isGreaterThanOrEqualTo(50);
        assertThat(json.path("memory")).hasSize(2);
        assertThat(json.path("phases").findValuesAsText("phase"))
                .containsExactly("warm-up", "quiet", "pause: during", "pause: after", "pause: check");
        var fault = json.path("faults").path(0);
        assertThat(fault.path("asked").asInt()).isEqualTo(50);
        assertThat(fault.path("logged_turns").asInt()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"--nodes, 0", "--sessions, 0", "--rate, 0", "--new, 1.5", "--pause, -1", "--fault, FLOOD"})
    void aBadValueIsCodeTwo(String option, String value) {
        assertThat(shell.run(option, value)).isEqualTo(2);
        assertThat(shell.err()).contains(value);
    }
}
