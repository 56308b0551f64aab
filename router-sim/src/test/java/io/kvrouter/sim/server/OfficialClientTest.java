package io.kvrouter.sim.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.NotFoundException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.completions.CompletionCreateParams;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class OfficialClientTest {
    private static final SimulatedWorker WORKER = SimulatedWorker.start(
            SimSettings.DEFAULT.withEngine(SimSettings.DEFAULT.engine().withSpeed(1, 100)));
    private static final OpenAIClient CLIENT = OpenAIOkHttpClient.builder()
            .baseUrl(WORKER.url() + "/v1")
            .apiKey("unused")
            .build();

    @AfterAll
    static void stop() {
        CLIENT.close();
        WORKER.close();
    }

    @Test
    void readsAWholeAnswer() {
        var answer = CLIENT.chat().completions().create(chat("sim-model").build());

        assertThat(answer.validate().choices().getFirst().message().content()).hasValue("one two six ten one ");
        assertThat(answer.usage().orElseThrow().completionTokens()).isEqualTo(5);
        assertThat(answer.usage().orElseThrow().promptTokensDetails()).isPresent();
    }

    @Test
    void readsAStreamedAnswer() {
        var params = chat("sim-model")
                .streamOptions(
                        ChatCompletionStreamOptions.builder().includeUsage(true).build())
                .build();
        var whole = ChatCompletionAccumulator.create();
        try (var stream = CLIENT.chat().completions().createStreaming(params)) {
            stream.stream().forEach(chunk -> whole.accumulate(chunk.validate()));
        }

        var answer = whole.chatCompletion();
        assertThat(answer.choices().getFirst().message().content()).hasValue("one two six ten one ");
        assertThat(answer.usage().orElseThrow().completionTokens()).isEqualTo(5);
    }

    @Test
    void readsACompletedText() {
        var params = CompletionCreateParams.builder()
                .model(CompletionCreateParams.Model.of("sim-model"))
                .prompt("hello")
                .maxTokens(2)
                .build();

        var answer = CLIENT.completions().create(params);

        assertThat(answer.validate().choices().getFirst().text()).isEqualTo("one two ");
    }

    @Test
    void listsTheModels() {
        assertThat(CLIENT.models().list().data().getFirst().validate().id()).isEqualTo("sim-model");
    }

    @Test
    void understandsAnError() {
        var params = chat("other").build();

        assertThatThrownBy(() -> CLIENT.chat().completions().create(params))
                .isInstanceOfSatisfying(
                        NotFoundException.class, e -> assertThat(e.code()).hasValue("model_not_found"));
    }

    private static ChatCompletionCreateParams.Builder chat(String model) {
        return ChatCompletionCreateParams.builder()
                .model(model)
                .addSystemMessage("be brief")
                .addUserMessage("hello")
                .maxCompletionTokens(5);
    }
}
