package io.kvrouter.sim.server;

import static io.kvrouter.sim.server.Client.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.sim.kv.KvEventSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data-parallel ranks and the ports of their streams. */
class KvRanksTest {
    private static final String PROMPT = "{\"max_tokens\":1,\"prompt\":\"" + "x".repeat(132) + "\"}";
    private static final SimSettings SETTINGS = SimSettings.DEFAULT
            .withEngine(SimSettings.DEFAULT.engine().withPool(1_000, 16).withSpeed(1, 100))
            .withKvEvents(KvEventSettings.DEFAULT);

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    @Test
    void eachRankPublishesWhatItsOwnEngineCaches() {
        var worker = start(SETTINGS.withRanks(2));
        var first = subscribe(worker, 0);
        var second = subscribe(worker, 1);
        post(worker, "X-data-parallel-rank", "1");
        post(worker, "X-data-parallel-rank", "0");

        assertThat(first.next().batch().asArrayValue().get(2).asIntegerValue().asInt())
                .isZero();
        assertThat(second.next().batch().asArrayValue().get(2).asIntegerValue().asInt())
                .isEqualTo(1);
        assertThat(worker.requests())
                .extracting(request -> request.path("rank").asInt())
                .containsExactly(1, 0);
        assertThat(worker.requests())
                .extracting(request -> request.path("cached_tokens").asInt())
                .containsOnly(0);
        assertThat(worker.stats(0).cachedBlocks()).isEqualTo(2);
        assertThat(worker.stats().cachedBlocks()).isEqualTo(4);
        assertThat(worker.registration().path("ranks").asInt()).isEqualTo(2);
    }

    @Test
    void aRequestThatNamesNoRankGoesToTheLeastBusy() {
        var worker = start(SETTINGS.withRanks(2));
        var client = new Client(worker.url());
        var busy = client.postAsync("/v1/completions", PROMPT.replace(":1,", ":15000,"), "x-data-parallel-rank", "0");
        Client.eventually(() -> worker.stats(0).running() == 1);

        post(worker);

        assertThat(worker.requests().getLast().path("rank").asInt()).isEqualTo(1);
        worker.restart();
        assertThat(busy.handle((done, failure) -> failure).join()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "-1", "x", ""})
    void aRankThatIsNotThereIsRefused(String rank) {
        var worker = start(SETTINGS.withRanks(2));

        assertThat(post(worker, "x-data-parallel-rank", rank).statusCode()).isEqualTo(400);
    }

    @Test
    void theStateTellsWhereTheStreamsAre() {
        var worker = start(SETTINGS.withRanks(2));

        var state = json(new Client(worker.url()).get("/sim/state")).path("kv_events");

        assertThat(state).isEqualTo(worker.registration().path("kv_events"));
        assertThat(state.path("endpoints")).hasSize(2);
        assertThat(state.path("replay")).hasSize(2);
    }

    @Test
    void aWorkerWithoutEventsTellsOfNoStreams() {
        var worker = start(SimSettings.DEFAULT);

        assertThat(worker.registration().has("kv_events")).isFalse();
        assertThat(json(new Client(worker.url()).get("/sim/state")).has("kv_events"))
                .isFalse();
    }

    @Test
    void theWorkersOfAFleetHaveConsecutivePorts() {
        int port = freePorts();
        var fleet = SimulatedFleet.start(
                2, 0, SETTINGS.withRanks(2).withKvEvents(KvEventSettings.DEFAULT.withFirstPort(port)));
        opened.add(fleet);

        assertThat(endpoint(fleet.worker(0), "endpoints", 0)).endsWith(":" + port);
        assertThat(endpoint(fleet.worker(0), "endpoints", 1)).endsWith(":" + (port + 1));
        assertThat(endpoint(fleet.worker(0), "replay", 0)).endsWith(":" + (port + 2));
        assertThat(endpoint(fleet.worker(1), "endpoints", 0)).endsWith(":" + (port + 4));
        assertThat(endpoint(fleet.worker(1), "replay", 1)).endsWith(":" + (port + 7));
    }

    @Test
    void aPortForEventsThatIsInUseIsNamedAndOneThatWasClosedIsFree() {
        var worker = start(SETTINGS);
        int port = URI.create(endpoint(worker, "endpoints", 0)).getPort();
        var samePort = SETTINGS.withKvEvents(KvEventSettings.DEFAULT.withFirstPort(port));

        assertThatThrownBy(() -> SimulatedWorker.start(samePort))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("port " + port);

        worker.close();
        assertThat(endpoint(start(samePort), "endpoints", 0)).endsWith(":" + port);
    }

    /** The first of eight ports that nobody had a moment ago. */
    private static int freePorts() {
        for (int first = 20_000; ; first += 8) {
            int port = first;
            if (IntStream.range(0, 8).allMatch(i -> free(port + i))) {
                return port;
            }
        }
    }

    private static boolean free(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private SimulatedWorker start(SimSettings settings) {
        var worker = SimulatedWorker.start(settings);
        opened.add(worker);
        return worker;
    }

    private KvSubscriber subscribe(SimulatedWorker worker, int rank) {
        var subscriber = new KvSubscriber(worker, rank);
        opened.add(subscriber);
        return subscriber;
    }

    private static HttpResponse<String> post(SimulatedWorker worker, String... headers) {
        return new Client(worker.url()).post("/v1/completions", PROMPT, headers);
    }

    private static String endpoint(SimulatedWorker worker, String kind, int rank) {
        return worker.registration().path("kv_events").path(kind).path(rank).asText();
    }
}
