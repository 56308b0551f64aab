package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyBenchCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void sendsTheSameOverEveryWayAndTellsWhatEachCost(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("rounds.json");

        int code = run(
                "--nodes=2",
                "--protocols=h2",
                "--workloads=short,streams-200",
                "--requests=20",
                "--concurrency=4",
                "--seconds=0.5",
                "--rounds=2",
                "--warm-up=0",
                "--json=" + file);

        assertThat(err.toString()).contains("small requests").doesNotContain("exactly once");
        assertThat(code).isZero();
        assertThat(out.toString()).contains("direct ", "relay ", "router ", "router, first turns", "200 streams");
        assertThat(out.toString()).contains("router, HTTP/2 by TLS ");
        JsonNode workloads = new ObjectMapper().readTree(file.toFile()).path("workloads");
        assertThat(workloads.path("short").path("router").path("rounds"))
                .hasSize(2)
                .allSatisfy(round -> assertThat(round.path("units").asInt()).isEqualTo(20));
        assertThat(workloads.path("streams-200").path("router").path("rounds"))
                .allSatisfy(round -> assertThat(round.path("p50_ms").asDouble()).isPositive());
    }

    @Test
    void aNodeHasTlsOrHasItNot() {
        assertThat(run("--protocols=https", "--nodes=1")).isEqualTo(2);
        assertThat(err.toString()).contains("nodes: 1");
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
        assertThat(run(option, value)).isEqualTo(2);
        assertThat(err.toString()).contains(value);
    }

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "bench";
        all[1] = "proxy";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }
}
