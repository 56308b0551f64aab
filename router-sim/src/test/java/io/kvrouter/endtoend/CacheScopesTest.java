package io.kvrouter.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.sim.kv.KvEventSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedWorker;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Equal tokens are cached once per rank, adapter and salt: the router and the engines agree on which. */
class CacheScopesTest {
    private static final String TEXT = "the same long text of a prompt that takes several blocks ".repeat(20);
    private static final OneNode NODE = OneNode.start(Map.of());

    @AfterAll
    static void stop() {
        NODE.close();
    }

    private static SimSettings settings(String model, int blockSize) {
        return SimSettings.DEFAULT
                .withModels(model)
                .withKvEvents(KvEventSettings.DEFAULT)
                .withEngine(
                        SimSettings.DEFAULT.engine().withPool(2_000, blockSize).withSpeed(1, 200));
    }

    @Test
    void aLaterTurnGoesToTheRankThatHasTheCache() {
        try (var worker = SimulatedWorker.start(settings("ranked", 16).withRanks(2))) {
            NODE.register(worker);

            for (String conversation : List.of("a", "b", "c", "d")) {
                long none = overlap(worker, "ranked", conversation + TEXT, "");
                long all = overlap(worker, "ranked", conversation + TEXT + "and more", "");

                List<JsonNode> log = worker.requests();
                JsonNode first = log.get(log.size() - 2);
                JsonNode second = log.getLast();
                assertThat(none).isZero();
                assertThat(all)
                        .isPositive()
                        .isEqualTo(second.path("cached_tokens").asLong());
                assertThat(second.path("rank")).isEqualTo(first.path("rank"));
                assertThat(second.path("headers").path("x-data-parallel-rank").asText())
                        .isEqualTo(first.path("rank").asText());
            }
        }
    }

    @Test
    void adaptersAndTheirModelShareNoCache() {
        try (var worker = SimulatedWorker.start(settings("base", 16).withAdapters("french", "german"))) {
            NODE.register(worker);

            for (String name : List.of("base", "french", "german")) {
                assertThat(overlap(worker, name, TEXT, "")).as(name).isZero();
                assertThat(overlap(worker, name, TEXT, "")).as(name).isPositive();
            }
            assertThat(worker.requests()).hasSize(6);
        }
    }

    @Test
    void saltsShareNoCache() {
        try (var worker = SimulatedWorker.start(settings("salted", 16))) {
            NODE.register(worker);

            for (String salt : List.of("", "one", "two")) {
                assertThat(overlap(worker, "salted", TEXT, salt)).as(salt).isZero();
                assertThat(overlap(worker, "salted", TEXT, salt)).as(salt).isPositive();
            }
        }
    }

    @Test
    void aWorkerWithAnotherBlockSizeIsToldAndServesAllTheSame() {
        try (var usual = SimulatedWorker.start(settings("mixed", 16));
                var same = SimulatedWorker.start(settings("mixed", 16));
                var other = SimulatedWorker.start(settings("mixed", 32))) {
            List.of(usual, same).forEach(NODE::register);
            NODE.registerOnly(other);

            NODE.awaitWorker(other, json -> json.path("warnings").toString().contains("KV blocks"));
            assertThat(NODE.worker(usual).path("warnings")).isEmpty();
            for (int i = 0; i < 12; i++) {
                assertThat(turn("mixed", i + TEXT, "")
                                .path("usage")
                                .path("completion_tokens")
                                .asInt())
                        .isEqualTo(16);
            }
            assertThat(other.requests()).isNotEmpty();
        }
    }

    /** The overlap that the router tells of a prompt; it is the engine's own figure. */
    private static long overlap(SimulatedWorker worker, String model, String prompt, String salt) {
        NODE.awaitEvents(worker);
        var answer = NODE.post("/v1/completions", body(model, prompt, salt));
        assertThat(answer.statusCode()).isEqualTo(200);
        long told = answer.headers().firstValueAsLong("x-router-overlap-tokens").orElse(-1);
        assertThat(told)
                .isEqualTo(OneNode.parse(answer.body())
                        .path("usage")
                        .path("prompt_tokens_details")
                        .path("cached_tokens")
                        .asLong());
        return told;
    }

    private static JsonNode turn(String model, String prompt, String salt) {
        return OneNode.parse(
                NODE.post("/v1/completions", body(model, prompt, salt)).body());
    }

    private static String body(String model, String prompt, String salt) {
        String salted = salt.isEmpty() ? "" : ",\"cache_salt\":\"" + salt + "\"";
        return "{\"model\":\"" + model + "\",\"prompt\":\"" + prompt + "\"" + salted + "}";
    }
}
