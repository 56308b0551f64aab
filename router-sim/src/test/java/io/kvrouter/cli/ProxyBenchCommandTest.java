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

class ProxyBenchCommandTest {
    private final Shell shell = new Shell("bench", "proxy");

    @Test
    void sendsTheSameOverEveryWayAndTellsWhatEachCost(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("rounds.json");

        int code = shell.run(
                "--nodes=2",
                "--protocols=h2",
                "--workloads=short,streams-200",
                "--requests=20",
                "--concurrency=4",
                "--seconds=0.5",
                "--rounds=2",
                "--warm-up=0",
                "--json=" + file);

        assertThat(shell.err()).contains("small requests").doesNotContain("exactly once");
        assertThat(code).isZero();
        assertThat(shell.out()).contains("direct ", "relay ", "router ", "router, first turns", "200 streams");
        assertThat(shell.out()).contains("router, HTTP/2 by TLS ");
        JsonNode workloads = new ObjectMapper().readTree(file.toFile()).path("workloads");
        assertThat(workloads.path("short").path("router").path("rounds"))
                .hasSize(2)
                .allSatisfy(round -> assertThat(round.path("units").asInt()).isEqualTo(20));
        assertThat(workloads.path("streams-200").path("router").path("rounds"))
                .allSatisfy(round -> assertThat(round.path("p50_ms").asDouble()).isPositive());
    }

    @Test
    void aNodeHasTlsOrHasItNot() {
        assertThat(shell.run("--protocols=https", "--nodes=1")).isEqualTo(2);
        assertThat(shell.err()).contains("nodes: 1");
    }

    @ParameterizedTest
    @CsvSource({
        "--requests, 0",
        "--concurrency, 0",
        "--rounds, 0",
        "--warm-up, -1.0",
        "--rate, -1",
        "--seconds, 0",
        "--workloads, none",
        "--protocols, none",
        "--nodes, 0"
    })
    void aBadValueIsCodeTwo(String option, String value) {
        assertThat(shell.run(option, value)).isEqualTo(2);
        assertThat(shell.err()).contains(value);
    }
}
