package io.kvrouter.sim.server;

import static io.kvrouter.sim.server.Client.eventually;
import static io.kvrouter.sim.server.Client.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InformationTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String BODY =
            "{\"model\":\"alias\",\"messages\":[{\"role\":\"user\",\"content\":\"" + "hello ".repeat(100) + "\"}]}";
    private static final SimulatedWorker WORKER = SimulatedWorker.start(SimSettings.DEFAULT
            .withEngine(SimSettings.DEFAULT.engine().withPool(1_000, 16).withSpeed(1, 100))
            .withModels("base", "alias")
            .withAdapters("adapter"));
    private static final Client CLIENT = new Client(WORKER.url());

    @AfterAll
    static void stop() {
        WORKER.close();
    }

    @BeforeEach
    void forget() {
        WORKER.restart();
        CLIENT.delete("/sim/requests");
    }

    @Test
    void modelsAreListedWithTheirLengthAndAdaptersWithTheirParent() {
        JsonNode data = json(CLIENT.get("/v1/models")).path("data");

        assertThat(data.findValuesAsText("id")).containsExactly("base", "alias", "adapter");
        assertThat(data.path(0).path("object").asText()).isEqualTo("model");
        assertThat(data.path(0).path("max_model_len").asInt()).isEqualTo(16_000);
        assertThat(data.path(2).path("parent").asText()).isEqualTo("base");
    }

    @Test
    void tokenizeIsNotThereWhereItIsNotOffered() {
        try (var worker = SimulatedWorker.start(SimSettings.DEFAULT, 0)) {
            worker.withoutTokenize();

            assertThat(new Client(worker.url()).post("/tokenize", BODY).statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void tokenizeGivesTheTokensOfATextAndOfAChat() {
        JsonNode text = json(CLIENT.post("/tokenize", "{\"model\":\"base\",\"prompt\":\"abcdabcdab\"}"));
        JsonNode chat = json(CLIENT.post("/tokenize", BODY));

        assertThat(text.path("count").asInt()).isEqualTo(3);
        assertThat(text.path("tokens").path(0)).isEqualTo(text.path("tokens").path(1));
        assertThat(text.path("max_model_len").asInt()).isEqualTo(16_000);
        int chatTokens = json(CLIENT.post(CHAT, BODY))
                .path("usage")
                .path("prompt_tokens")
                .asInt();
        assertThat(chat.path("count").asInt()).isEqualTo(chatTokens);
        assertThat(chat.path("tokens")).hasSize(chatTokens);
    }

    @Test
    void metricsHaveTheNamesOfVllm() {
        CLIENT.post(CHAT, BODY);
        CLIENT.post(CHAT, BODY);

        String metrics = CLIENT.get("/metrics").body();

        String labels = "{engine=\"0\",model_name=\"base\"} ";
        assertThat(metrics)
                .contains("vllm:num_requests_running" + labels + "0.000000")
                .contains("vllm:num_requests_waiting" + labels + "0.000000")
                .contains("vllm:kv_cache_usage_perc" + labels + "0.000000")
                .contains("vllm:prefix_cache_queries_total" + labels + "316.000000")
                .contains("vllm:prefix_cache_hits_total" + labels + "144.000000")
                .contains("vllm:cache_config_info{block_size=\"16\",")
                .contains("num_gpu_blocks=\"1000\"");
    }

    @Test
    void aRunningRequestIsSeenInTheMetricsAndTheState() {
        var answer = CLIENT.postAsync(CHAT, BODY.replace("\"model\"", "\"max_tokens\":15000,\"model\""));
        eventually(() -> WORKER.stats().running() == 1);

        assertThat(CLIENT.get("/metrics").body())
                .contains("vllm:num_requests_running{engine=\"0\",model_name=\"base\"} 1");
        assertThat(json(CLIENT.get("/sim/state")).path("active_blocks").asInt()).isPositive();

        WORKER.restart();
        assertThat(answer.handle((done, failure) -> failure).join()).isNotNull();
    }

    @Test
    void theLogTellsWhatCameInAndWhatBecameOfIt() throws NoSuchAlgorithmException {
        CLIENT.post(CHAT, BODY);
        CLIENT.post(CHAT, BODY, "x-request-id", "r1", "x-session-id", "s1", "X-data-parallel-rank", "0");

        JsonNode entry = json(CLIENT.get("/sim/requests")).path(1);

        assertThat(entry.path("path").asText()).isEqualTo(CHAT);
        assertThat(entry.path("model").asText()).isEqualTo("alias");
        assertThat(entry.path("prompt_tokens").asInt()).isEqualTo(158);
        assertThat(entry.path("cached_tokens").asInt()).isEqualTo(144);
        assertThat(entry.path("headers").path("x-request-id").asText()).isEqualTo("r1");
        assertThat(entry.path("headers").path("x-session-id").asText()).isEqualTo("s1");
        assertThat(entry.path("headers").path("x-data-parallel-rank").asText()).isEqualTo("0");
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(BODY.getBytes(StandardCharsets.UTF_8));
        assertThat(entry.path("body_sha256").asText()).isEqualTo(HexFormat.of().formatHex(hash));
        assertThat(entry.path("body_bytes").asInt()).isEqualTo(BODY.length());
        assertThat(entry.path("outcome").asText()).isEqualTo("finished");
        assertThat(entry.path("status").asInt()).isEqualTo(200);
        assertThat(entry.path("ended_ms").asLong())
                .isGreaterThanOrEqualTo(entry.path("arrival_ms").asLong());
    }

    @Test
    void theLogCanBeCleared() {
        CLIENT.post(CHAT, BODY);

        CLIENT.delete("/sim/requests");

        assertThat(json(CLIENT.get("/sim/requests"))).isEmpty();
    }

    @Test
    void anUnknownPathIsNotFound() {
        HttpResponse<String> response = CLIENT.get("/v2/models");

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(json(response).path("error").path("message").asText()).isNotEmpty();
    }
}
