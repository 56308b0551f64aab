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

class FleetBenchCommandTest {
    private final Shell shell = new Shell("bench", "fleet");

    @Test
    void playsSessionsThroughTwoNodesAndTellsWhatTheWorkersFound(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("fleet.json");

        int code = shell.run(("--nodes=2 --workers=2 --lanes=8 --seeds=1 --speed-up=50 --warm-up=0.5 --seconds=1.5"
                        + " --no-compare-single --control=SEPARATE --sub-agents=0.05 --system-prompts=3 --json=" + file)
                .split(" "));

        assertThat(code).as(shell.out() + shell.err()).isZero();
        assertThat(shell.out()).contains("2 to 8 sub-agents before 5.0 %", "3 system prompts");
        var runs = new ObjectMapper().readTree(file.toFile()).path("runs");
        assertThat(runs).hasSize(2);
        isThatOfACluster(runs.path(0));
        isThatOfNodesWhichDoNotKnowEachOther(runs.path(1));
    }

    private static void isThatOfACluster(JsonNode run) {
        assertThat(run.path("turns").asDouble()).isPositive();
        assertThat(run.path("hit").asDouble()).isBetween(0.01, 1.0);
        assertThat(run.path("crowd").asDouble()).as("busiest against mean").isBetween(1.0, 2.0);
        assertThat(run.path("visible").asDouble()).isEqualTo(1);
        assertThat(run.path("moves").asInt()).isZero();
        assertThat(run.path("cpu_s")).hasSize(2);
    }

    private static void isThatOfNodesWhichDoNotKnowEachOther(JsonNode run) {
        assertThat(run.path("setup").asText()).isEqualTo("separate");
        assertThat(run.path("moves").asInt()).isPositive();
        assertThat(run.has("visible")).isFalse();
    }

    @Test
    void theHelpSaysWhatEachFigureIs() {
        assertThat(shell.run("--help")).isZero();

        assertThat(shell.out()).contains("hit ratio / ideal  how much", "--speed-up divides");
    }

    @ParameterizedTest
    @CsvSource({
        "--nodes, 0",
        "--lanes, 0",
        "--token-scale, 3",
        "--seconds, 0",
        "--seeds, 0",
        "--workers, 0",
        "--sub-agents, 2",
        "--equal-prompts, 0"
    })
    void aBadValueIsCodeTwo(String option, String value) {
        assertThat(shell.run(option, value)).isEqualTo(2);
        assertThat(shell.err()).contains(value);
    }
}
