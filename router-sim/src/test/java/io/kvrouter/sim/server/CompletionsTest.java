package io.kvrouter.sim.server;

import static io.kvrouter.sim.server.Client.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionsTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String TEXT = "/v1/completions";
    private static final String LONG_TEXT = "0123456789abcdef".repeat(200);

    private static final SimulatedWorker WORKER = SimulatedWorker.start(SimSettings.DEFAULT
            .withEngine(SimSettings.DEFAULT.engine().withSpeed(1, 100))
            .withAdapters("sim-adapter"));
    private static final Client CLIENT = new Client(WORKER.url());

    @AfterAll
    static void stop() {
        WORKER.close();
    }

    @BeforeEach
    void emptyCache() {
        WORKER.restart();
    }

    @Test
    void aChatIsAnsweredWhole() {
        JsonNode answer = json(CLIENT.post(CHAT, chat("hello", "\"max_tokens\":3")));

        assertThat(answer.path("object").asText()).isEqualTo("chat.completion");
        assertThat(answer.path("model").asText()).isEqualTo("sim-model");
        JsonNode choice = answer.path("choices").path(0);
        assertThat(choice.path("message").path("role").asText()).isEqualTo("assistant");
        assertThat(choice.path("message").path("content").asText()).isEqualTo("one two six ");
        assertThat(choice.path("finish_reason").asText()).isEqualTo("length");
        assertThat(answer.path("usage").path("completion_tokens").asInt()).isEqualTo(3);
        assertThat(answer.path("usage").path("total_tokens").asInt())
                .isEqualTo(answer.path("usage").path("prompt_tokens").asInt() + 3);
    }

    @Test
    void aChatIsStreamedTokenByToken() {
        HttpResponse<String> response = CLIENT.post(CHAT, chat("hello", "\"stream\":true,\"max_completion_tokens\":2"));

        assertThat(response.headers().firstValue("content-type")).hasValue("text/event-stream; charset=utf-8");
        List<String> events = events(response);
        assertThat(events).hasSize(5).endsWith("[DONE]");
        assertThat(delta(events.get(0)).path("role").asText()).isEqualTo("assistant");
        assertThat(delta(events.get(1)).path("content").asText()).isEqualTo("one ");
        assertThat(delta(events.get(2)).path("content").asText()).isEqualTo("two ");
        JsonNode last = json(events.get(3)).path("choices").path(0);
        assertThat(last.path("finish_reason").asText()).isEqualTo("length");
    }

    @Test
    void theUsageComesBeforeTheEndOfAStreamIfAskedFor() {
        List<String> events =
                events(CLIENT.post(CHAT, chat("hello", "\"stream\":true,\"stream_options\":{\"include_usage\":true}")));

        JsonNode usage = json(events.get(events.size() - 2));
        assertThat(usage.path("choices").isEmpty()).isTrue();
        assertThat(usage.path("usage").path("completion_tokens").asInt()).isEqualTo(16);
        assertThat(usage.path("usage").path("prompt_tokens_details").has("cached_tokens"))
                .isTrue();
    }

    @Test
    void anAnswerOfUnstatedLengthStopsAtTheDefault() {
        JsonNode answer = json(CLIENT.post(CHAT, chat("hello", "\"max_tokens\":null")));

        assertThat(answer.path("choices").path(0).path("finish_reason").asText())
                .isEqualTo("stop");
        assertThat(answer.path("usage").path("completion_tokens").asInt()).isEqualTo(16);
    }

    @Test
    void aLaterTurnFindsTheEarlierOneCached() {
        String turn = "{\"role\":\"user\",\"content\":\"" + LONG_TEXT + "\"}";
        String reply = "{\"role\":\"assistant\",\"content\":\"fine\"}";
        CLIENT.post(CHAT, "{\"messages\":[" + turn + "]}");

        JsonNode later = json(CLIENT.post(CHAT, "{\"messages\":[" + turn + "," + reply + "," + turn + "]}"));

        int firstTurnTokens = Math.ceilDiv("<|user|>\n".length() + LONG_TEXT.length() + 1, 4);
        assertThat(cached(later)).isEqualTo(firstTurnTokens / 64 * 64);
    }

    @Test
    void anAdapterAndASaltShareNoCacheWithTheModel() {
        CLIENT.post(CHAT, chat(LONG_TEXT, "\"model\":\"sim-model\""));

        assertThat(cached(json(CLIENT.post(CHAT, chat(LONG_TEXT, "\"model\":\"sim-adapter\"")))))
                .isZero();
        assertThat(cached(json(CLIENT.post(CHAT, chat(LONG_TEXT, "\"cache_salt\":\"s\"")))))
                .isZero();
        assertThat(cached(json(CLIENT.post(CHAT, chat(LONG_TEXT, "\"n\":1"))))).isPositive();
    }

    @Test
    void aTextIsCompletedWholeAndStreamed() {
        JsonNode whole = json(CLIENT.post(TEXT, "{\"prompt\":\"abcdefgh\",\"max_tokens\":2}"));
        List<String> events = events(CLIENT.post(TEXT, "{\"prompt\":\"abc\",\"max_tokens\":1,\"stream\":true}"));

        assertThat(whole.path("object").asText()).isEqualTo("text_completion");
        assertThat(whole.path("choices").path(0).path("text").asText()).isEqualTo("one two ");
        assertThat(whole.path("usage").path("prompt_tokens").asInt()).isEqualTo(2);
        assertThat(json(events.getFirst()).path("choices").path(0).path("text").asText())
                .isEqualTo("one ");
        assertThat(events).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"abcd\",\"efgh\"]", "[[1],[2]]"})
    void severalPromptsGetAChoiceEach(String prompts) {
        JsonNode answer = json(CLIENT.post(TEXT, "{\"prompt\":" + prompts + ",\"max_tokens\":2,\"n\":2}"));

        assertThat(answer.path("choices")).hasSize(4);
        assertThat(answer.path("choices").path(3).path("index").asInt()).isEqualTo(3);
        assertThat(answer.path("usage").path("prompt_tokens").asInt()).isEqualTo(2);
        assertThat(answer.path("usage").path("completion_tokens").asInt()).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{} {}",
                "{\"messages\":[]}",
                "{\"messages\":[{\"content\":\"x\"}]}",
                "{\"messages\":[{\"role\":\"user\",\"content\":1}]}",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"max_tokens\":0}",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"max_tokens\":2000000}",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"n\":1000}"
            })
    void aBadRequestGetsAnErrorObject(String body) {
        HttpResponse<String> response = CLIENT.post(CHAT, body);

        assertThat(response.statusCode()).isEqualTo(400);
        JsonNode error = json(response).path("error");
        assertThat(error.path("type").asText()).isEqualTo("invalid_request_error");
        assertThat(error.path("message").asText()).isNotEmpty();
        assertThat(error.has("param")).isTrue();
        assertThat(error.has("code")).isTrue();
    }

    @Test
    void anUnknownModelIsNotFound() {
        HttpResponse<String> response = CLIENT.post(CHAT, chat("hello", "\"model\":\"other\""));

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(json(response).path("error").path("code").asText()).isEqualTo("model_not_found");
    }

    private static String chat(String content, String more) {
        return "{\"messages\":[{\"role\":\"user\",\"content\":\"" + content + "\"}]," + more + "}";
    }

    private static List<String> events(HttpResponse<String> response) {
        return response.body()
                .lines()
                .filter(line -> !line.isEmpty())
                .map(line -> line.substring("data: ".length()))
                .toList();
    }

    private static JsonNode delta(String event) {
        return json(event).path("choices").path(0).path("delta");
    }

    private static int cached(JsonNode answer) {
        return answer.path("usage")
                .path("prompt_tokens_details")
                .path("cached_tokens")
                .asInt(-1);
    }
}
