package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
    void sendsTheRequestsDirectlyAndThroughANodeAndCountsThemAtTheWorker(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("samples.json");

        int code = run("--requests=20", "--concurrency=4", "--rounds=2", "--warm-up=1", "--json=" + file);

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString())
                .contains("direct ", "routed, no session: {selected=40}", "routed, first turn: {selected=40}")
                .contains("routed, pinned: {pinned=40}");
        var rows = new ObjectMapper().readTree(file.toFile()).path("rows");
        assertThat(rows).hasSize(4).allSatisfy(row -> {
            assertThat(row.path("received_at_worker").asInt()).isEqualTo(40);
            assertThat(row.path("rounds").path(1).path("latency_ns")).hasSize(20);
        });
    }

    @ParameterizedTest
    @CsvSource({"--requests, 0", "--requests, 10001", "--concurrency, 0", "--rounds, 0", "--warm-up, -1"})
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
