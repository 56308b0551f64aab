package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedWorker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SimCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsTheUrlOfEachWorkerAndServesUntilStopped() throws IOException, InterruptedException {
        var exit = new CompletableFuture<Integer>();
        var thread = Thread.ofPlatform().start(() -> exit.complete(run("--count", "2", "--port", "0", "--model", "m")));
        while (out.toString().lines().count() < 2 && !exit.isDone()) {
            LockSupport.parkNanos(1_000_000);
        }

        String url = out.toString().lines().toList().get(1);
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(url + "/v1/models")).build();
            assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).body())
                    .contains("\"m\"");
        }
        thread.interrupt();
        assertThat(exit.join()).isZero();
    }

    @Test
    void publishesKvEventsOnTwoPortsARank() throws IOException, InterruptedException {
        var exit = new CompletableFuture<Integer>();
        var thread = Thread.ofPlatform()
                .start(() -> exit.complete(run(
                        "--count", "1", "--port", "0", "--kv-events", "0", "--kv-events-form", "MAP", "--ranks", "2")));
        while (out.toString().lines().findAny().isEmpty() && !exit.isDone()) {
            LockSupport.parkNanos(1_000_000);
        }

        String url = out.toString().lines().findFirst().orElseThrow();
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(url + "/sim/state")).build();
            assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).body())
                    .containsPattern("\"endpoints\":\\[\"tcp://127.0.0.1:\\d+\",\"tcp://127.0.0.1:\\d+\"]");
        }
        thread.interrupt();
        assertThat(exit.join()).isZero();
    }

    @Test
    void aPortInUseIsOneLineAndCodeOne() {
        try (var worker = SimulatedWorker.start(SimSettings.DEFAULT)) {
            assertThat(run("--count", "1", "--port", "" + worker.port())).isEqualTo(1);

            assertThat(err.toString().lines()).singleElement().asString().contains("port " + worker.port());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--count, 0",
        "--port, 70000",
        "--speedup, 0",
        "--slow, -1",
        "--kv-blocks, 0",
        "--block-size, x",
        "--ranks, 0",
        "--kv-events, 70000",
        "--kv-events-form, tree",
        "--model-dir, no-such-directory"
    })
    void aBadValueIsCodeTwo(String option, String value) {
        assertThat(run(option, value)).isEqualTo(2);
        assertThat(err.toString()).contains(value);
    }

    private int run(String... arguments) {
        return new CommandLine(new SimCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
