package io.kvrouter.sim.server;

import static io.kvrouter.sim.server.Client.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.sim.kv.KvEventSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.msgpack.value.Value;

/** What a router sees of a worker's KV events. */
class KvStreamTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final int BLOCK = 16;
    private static final SimSettings SETTINGS = SimSettings.DEFAULT
            .withEngine(SimSettings.DEFAULT.engine().withPool(1_000, BLOCK).withSpeed(1, 100))
            .withAdapters("adapter")
            .withKvEvents(KvEventSettings.DEFAULT);

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    @Test
    void aPromptsBlocksComeAsAnArrayInVllmsOrder() {
        var worker = start(SETTINGS);
        var subscriber = subscribe(worker, 0);

        post(worker, completion(33, "").replace("}", ",\"max_tokens\":1}"));

        var message = subscriber.next();
        assertThat(message.sequence()).isZero();
        var batch = message.batch().asArrayValue();
        assertThat(batch.size()).isEqualTo(3);
        assertThat(batch.get(0).asFloatValue().toDouble()).isGreaterThan(1.7e9);
        assertThat(batch.get(2).asIntegerValue().asInt()).isZero();
        var event = message.events().getFirst().asArrayValue();
        assertThat(event.get(0).asStringValue().asString()).isEqualTo("BlockStored");
        assertThat(event.get(1).asArrayValue()).hasSize(2);
        assertThat(event.get(2).isNilValue()).isTrue();
        assertThat(event.get(3).asArrayValue().list())
                .extracting(token -> token.asIntegerValue().asInt())
                .isEqualTo(tokens(worker, completion(33, "")).subList(0, 32));
        assertThat(event.get(4).asIntegerValue().asInt()).isEqualTo(BLOCK);
        assertThat(event.get(5).isNilValue()).isTrue();
        assertThat(event.get(6).asStringValue().asString()).isEqualTo("GPU");
        assertThat(event.get(7).isNilValue()).isTrue();
        assertThat(event.get(8).isNilValue()).isTrue();
    }

    @Test
    void aPromptsBlocksComeAsAMapIfWanted() {
        var worker = start(SETTINGS.withKvEvents(KvEventSettings.DEFAULT.withForm(KvEventSettings.Form.MAP)));
        var subscriber = subscribe(worker, 0);

        post(worker, completion(33, "").replace("}", ",\"max_tokens\":1}"));

        var batch = fields(subscriber.next().batch());
        assertThat(batch).containsOnlyKeys("ts", "events", "data_parallel_rank");
        var event = fields(field(batch, "events").asArrayValue().get(0));
        assertThat(event)
                .containsOnlyKeys(
                        "type",
                        "block_hashes",
                        "parent_block_hash",
                        "token_ids",
                        "block_size",
                        "lora_id",
                        "medium",
                        "lora_name",
                        "extra_keys");
        assertThat(field(event, "type").toJson()).isEqualTo("\"BlockStored\"");
        assertThat(field(event, "token_ids").asArrayValue()).hasSize(32);
    }

    @Test
    void adapterAndSaltAreTold() {
        var worker = start(SETTINGS);
        var subscriber = subscribe(worker, 0);

        post(worker, completion(33, "").replace("}", ",\"max_tokens\":1,\"cache_salt\":\"s\",\"model\":\"adapter\"}"));

        var event = subscriber.next().events().getFirst().asArrayValue();
        assertThat(event.get(7).toJson()).isEqualTo("\"adapter\"");
        assertThat(event.get(8).toJson()).isEqualTo("[[\"adapter\",\"s\"],[\"adapter\"]]");
    }

    @Test
    void aLaterTurnsSaltIsInTheFirstBlockOnly() {
        var worker = start(SETTINGS);
        var subscriber = subscribe(worker, 0);

        post(worker, completion(48, "").replace("}", ",\"max_tokens\":17,\"cache_salt\":\"s\"}"));

        var messages = subscriber.next(2);
        assertThat(messages.get(0).events().getFirst().asArrayValue().get(8).toJson())
                .isEqualTo("[[\"s\"],null,null]");
        var answer = messages.get(1).events().getFirst().asArrayValue();
        assertThat(answer.get(2))
                .isEqualTo(messages.get(0)
                        .events()
                        .getFirst()
                        .asArrayValue()
                        .get(1)
                        .asArrayValue()
                        .get(2));
        assertThat(answer.get(8).toJson()).isEqualTo("[null]");
    }

    @Test
    void whoTokenizesLikeTheWorkerAndReadsItsEventsKnowsWhatEachTurnFinds() {
        var worker = start(SETTINGS.withEngine(SETTINGS.engine().withPool(60, BLOCK)));
        var subscriber = subscribe(worker, 0);
        var index = new PrefixIndex(BLOCK);
        List<String> histories = new ArrayList<>(List.of("", "", ""));
        long evicted = 0;
        for (int turn = 0; turn < 24; turn++) {
            int session = turn * 7 % 5 % 3;
            String user =
                    "{\"role\":\"user\",\"content\":\"" + "word ".repeat(3 + turn * 11 % 17) + turn + session + "\"}";
            String messages = histories.get(session).isEmpty() ? user : histories.get(session) + "," + user;
            String body = "{\"max_tokens\":" + (5 + turn * 13 % 40) + ",\"messages\":[" + messages + "]}";
            List<Integer> prompt = tokens(worker, body);
            int expected = index.knownTokens(prompt);

            var answer = json(new Client(worker.url()).post(CHAT, body));

            assertThat(answer.path("usage").path("prompt_tokens").asInt()).isEqualTo(prompt.size());
            assertThat(answer.path("usage")
                            .path("prompt_tokens_details")
                            .path("cached_tokens")
                            .asInt())
                    .as("turn " + turn)
                    .isEqualTo(expected);
            var message = answer.path("choices").path(0).path("message");
            histories.set(session, messages + ",{\"role\":\"assistant\",\"content\":" + message.path("content") + "}");
            subscriber.replay(index.next()).forEach(index::apply);
            evicted = worker.stats().totals().evictedBlocks();
        }
        assertThat(evicted).isPositive();
        assertThat(worker.stats().totals().hitTokens()).isPositive();
    }

    @Test
    void aReplayGivesAllFromWhereItIsAskedFor() {
        var worker = start(SETTINGS);
        var subscriber = subscribe(worker, 0);
        for (int i = 0; i < 4; i++) {
            post(worker, completion(33, "q" + i).replace("}", ",\"max_tokens\":1}"));
        }
        var live = subscriber.next(4);

        assertThat(subscriber.replay(0)).usingRecursiveComparison().isEqualTo(live);
        assertThat(subscriber.replay(2))
                .extracting(KvSubscriber.Message::sequence)
                .containsExactly(2L, 3L);
        assertThat(subscriber.replay(4)).isEmpty();
    }

    @Test
    void aReplayRequestThatMakesNoSenseGetsNoAnswer() {
        var worker = start(SETTINGS);
        var subscriber = subscribe(worker, 0);
        post(worker, completion(33, ""));

        subscriber.ask(new byte[] {1});
        subscriber.ask(new byte[0], new byte[] {1});
        subscriber.ask(new byte[0], new byte[8], new byte[8]);

        assertThat(subscriber.replay(0)).isNotEmpty();
    }

    @Test
    void onlySoManyBatchesCanBeReplayed() {
        var worker = start(SETTINGS.withKvEvents(KvEventSettings.DEFAULT.withReplayBatches(2)));
        var subscriber = subscribe(worker, 0);
        for (int i = 0; i < 5; i++) {
            post(worker, completion(33, "q" + i).replace("}", ",\"max_tokens\":1}"));
        }
        subscriber.next(5);

        assertThat(subscriber.replay(0))
                .extracting(KvSubscriber.Message::sequence)
                .containsExactly(3L, 4L);
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

    private static void post(SimulatedWorker worker, String body) {
        assertThat(new Client(worker.url()).post("/v1/completions", body).statusCode())
                .isEqualTo(200);
    }

    /** A prompt of so many tokens, of which the first are this text. */
    private static String completion(int tokens, String start) {
        return "{\"prompt\":\"" + start + "x".repeat(4 * tokens - start.length()) + "\"}";
    }

    private static List<Integer> tokens(SimulatedWorker worker, String body) {
        List<Integer> tokens = new ArrayList<>();
        json(new Client(worker.url()).post("/tokenize", body))
                .path("tokens")
                .forEach(token -> tokens.add(token.asInt()));
        return tokens;
    }

    private static Value field(Map<String, Value> fields, String name) {
        return Objects.requireNonNull(fields.get(name));
    }

    private static Map<String, Value> fields(Value map) {
        Map<String, Value> fields = new HashMap<>();
        map.asMapValue()
                .map()
                .forEach((key, value) -> fields.put(key.asStringValue().asString(), value));
        return fields;
    }
}
