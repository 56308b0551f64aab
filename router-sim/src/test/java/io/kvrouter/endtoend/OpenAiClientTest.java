package io.kvrouter.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.errors.BadRequestException;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionFunctionTool;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What OpenAI's own client makes of tools, refusals, push-back and broken streams that come through this router. */
class OpenAiClientTest {
    private static ScriptedEngine engine;
    private static OneNode node;
    private static OpenAIClient client;

    @BeforeAll
    static void start() {
        engine = new ScriptedEngine();
        node = OneNode.start(Map.of("kvrouter.worker-urls", engine.url().toString()));
        node.awaitModel(ScriptedEngine.MODEL);
        client = node.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        node.close();
        engine.close();
    }

    @Test
    void callsAToolAndGoesOnWithWhatItSaid() {
        var asked = ask("weather?").addTool(weather());
        var first = client.chat()
                .completions()
                .create(asked.build())
                .choices()
                .getFirst()
                .message();
        var call = first.toolCalls().orElseThrow().getFirst().asFunction();

        var second = client.chat()
                .completions()
                .create(asked.addMessage(first)
                        .addMessage(ChatCompletionToolMessageParam.builder()
                                .toolCallId(call.id())
                                .content("rain")
                                .build())
                        .build());

        assertThat(call.function().arguments()).isEqualTo("{\"city\":\"Oslo\"}");
        assertThat(second.choices().getFirst().message().content()).hasValue(ScriptedEngine.TEXT);
    }

    @Test
    void hearsTheEnginesOwnRefusal() {
        assertThatThrownBy(() ->
                        client.chat().completions().create(ask("refuse, openai").build()))
                .isInstanceOfSatisfying(BadRequestException.class, e -> {
                    assertThat(e.code()).hasValue("odd");
                    assertThat(e.param()).hasValue("seed");
                });
    }

    @Test
    void comesBackToABusyWorker() {
        var patient = client.withOptions(options -> options.maxRetries(2));

        var answer = patient.chat().completions().create(ask("busy, openai").build());

        assertThat(answer.choices().getFirst().message().content()).hasValue(ScriptedEngine.TEXT);
        assertThat(engine.seen("busy, openai")).isEqualTo(2);
    }

    @Test
    void takesAStreamThatBreaksOffForAFailure() {
        try (var stream =
                client.chat().completions().createStreaming(ask("break, openai").build())) {
            assertThatThrownBy(() -> stream.stream().count()).isInstanceOf(RuntimeException.class);
        }
        assertThat(engine.seen("break, openai")).isEqualTo(1);
    }

    @Test
    void aStreamThatItClosesEndsAtTheWorker() {
        try (var stream = client.chat()
                .completions()
                .createStreaming(ask("endless, openai").build())) {
            assertThat(stream.stream().findFirst()).isPresent();
        }

        OneNode.await(() -> engine.left("endless, openai"));
    }

    private static ChatCompletionCreateParams.Builder ask(String order) {
        return ChatCompletionCreateParams.builder().model(ScriptedEngine.MODEL).addUserMessage(order);
    }

    private static ChatCompletionFunctionTool weather() {
        var city = Map.of("city", Map.of("type", "string"));
        return ChatCompletionFunctionTool.builder()
                .function(FunctionDefinition.builder()
                        .name("weather")
                        .parameters(FunctionParameters.builder()
                                .putAdditionalProperty("type", JsonValue.from("object"))
                                .putAdditionalProperty("properties", JsonValue.from(city))
                                .build())
                        .build())
                .build();
    }
}
