package io.kvrouter.sim.server;

import static io.kvrouter.sim.server.Client.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.sim.kv.KvEventSettings;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can go wrong with KV events on command. Each prompt here is new and makes one batch. */
class KvFaultsTest {
    private static final SimSettings SETTINGS = SimSettings.DEFAULT
            .withEngine(SimSettings.DEFAULT.engine().withPool(1_000, 16).withSpeed(1, 100))
            .withKvEvents(KvEventSettings.DEFAULT);

    private final SimulatedWorker worker = SimulatedWorker.start(SETTINGS);
    private final Client client = new Client(worker.url());
    private final KvSubscriber subscriber = new KvSubscriber(worker, 0);
    private int prompts;

    @AfterEach
    void close() {
        subscriber.close();
        worker.close();
    }

    @Test
    void droppedBatchesLeaveAGapThatAReplayFills() {
        order("{\"drop\":2}");

        publish(4);

        assertThat(subscriber.nextSequences(2)).containsExactly(2L, 3L);
        assertThat(replayed(0)).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void aShareOfTheBatchesIsDroppedUntilToldOtherwise() {
        order("{\"drop_share\":1}");
        publish(3);
        order("{\"drop_share\":0.5}");
        publish(20);
        order("{\"drop_share\":0}");
        publish(1);

        int some = 0;
        while (subscriber.next().sequence() < 23) {
            some++;
        }
        assertThat(some).isBetween(1, 19);
        assertThat(replayed(0)).hasSize(24);
    }

    @Test
    void repeatedBatchesComeTwice() {
        order("{\"repeat\":2}");

        publish(3);

        assertThat(subscriber.nextSequences(5)).containsExactly(0L, 0L, 1L, 1L, 2L);
        assertThat(replayed(0)).containsExactly(0L, 1L, 2L);
    }

    @Test
    void aReorderedBatchComesAfterTheNextOne() {
        order("{\"reorder\":2}");

        publish(5);

        assertThat(subscriber.nextSequences(5)).containsExactly(1L, 0L, 3L, 2L, 4L);
        assertThat(replayed(0)).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void aRestartedStreamBeginsAtZeroAndForgets() {
        publish(2);

        order("{\"restart\":true}");
        publish(1);

        assertThat(subscriber.nextSequences(3)).containsExactly(0L, 1L, 0L);
        assertThat(replayed(0)).containsExactly(0L);
    }

    @Test
    void aRestartedWorkerBeginsAtZeroWithAnEmptyCache() {
        publish(2);
        order("{\"drop\":100}");

        client.post("/sim/faults", "{\"restart\":true}");
        prompts = 0;
        publish(1);

        assertThat(subscriber.nextSequences(2)).containsExactly(0L, 1L);
        var first = subscriber.next();
        assertThat(first.sequence()).isZero();
        assertThat(first.events()).hasSize(1);
        assertThat(first.events().getFirst().asArrayValue().get(2).isNilValue()).isTrue();
        assertThat(replayed(0)).containsExactly(0L);
    }

    @Test
    void malformedBatchesTakeTheirPlaceInTheSequence() {
        order("{\"malformed\":7}");
        publish(1);

        var messages = subscriber.next(8);

        assertThat(messages).extracting(KvSubscriber.Message::sequence).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
        assertThat(messages.subList(0, 7)).noneMatch(KvSubscriber.Message::readable);
        assertThat(messages.get(7)).matches(KvSubscriber.Message::readable);
    }

    @Test
    void malformedEventsComeBesideTheOthersOfTheirBatch() {
        publish(1);
        order("{\"malformed_events\":1}");
        publish(2);

        var messages = subscriber.next(3);

        assertThat(messages.get(0).events()).hasSize(1);
        assertThat(messages.get(1).events()).hasSizeGreaterThan(5);
        assertThat(messages.get(1).events().get(1).asArrayValue().get(3).asArrayValue())
                .hasSize(32);
        assertThat(messages.get(2).events()).hasSize(1);
    }

    @Test
    void aReplayCanBeCutShort() {
        publish(4);

        order("{\"replay_from\":2}");

        assertThat(replayed(0)).containsExactly(2L, 3L);
        assertThat(replayed(3)).containsExactly(3L);
        order("{\"replay_from\":1000000}");
        publish(1);
        assertThat(replayed(0)).isEmpty();
    }

    @Test
    void anOrderOfSeveralFaultsIsOneAtATime() {
        order("{\"drop\":1,\"repeat\":1}");

        publish(3);

        assertThat(subscriber.nextSequences(3)).containsExactly(1L, 1L, 2L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"drop\":-1}",
                "{\"drop\":1.5}",
                "{\"drop_share\":1.1}",
                "{\"drop_share\":true}",
                "{\"repeat\":\"2\"}",
                "{\"restart\":1}",
                "{\"replay_from\":-1}",
                "{\"rank\":1,\"drop\":1}",
                "{\"dorp\":1}",
                "7"
            })
    void anOrderThatMakesNoSenseIsRefused(String order) {
        var response = client.post("/sim/faults", "{\"kv_events\":" + order + "}");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response).path("error").path("message").asText()).contains("(expected: ");
    }

    @Test
    void aWorkerWithoutEventsRefusesFaultsOfThem() {
        try (var silent = SimulatedWorker.start(SimSettings.DEFAULT)) {
            var response = new Client(silent.url()).post("/sim/faults", "{\"kv_events\":{\"drop\":1}}");

            assertThat(response.statusCode()).isEqualTo(400);
        }
    }

    private void order(String faults) {
        assertThat(client.post("/sim/faults", "{\"kv_events\":" + faults + "}").statusCode())
                .isEqualTo(200);
    }

    private void publish(int batches) {
        for (int i = 0; i < batches; i++) {
            String text = String.format("%04d", ++prompts).repeat(33);
            client.post("/v1/completions", "{\"max_tokens\":1,\"prompt\":\"" + text + "\"}");
        }
    }

    private List<Long> replayed(long from) {
        return subscriber.replay(from).stream()
                .map(KvSubscriber.Message::sequence)
                .toList();
    }
}
