package io.kvrouter.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** LangChain4j, which calls through the JDK's client, a node of this router, and an engine by the script. */
class LangChainTest {
    private static final ToolSpecification WEATHER = ToolSpecification.builder()
            .name("weather")
            .parameters(JsonObjectSchema.builder().addStringProperty("city").build())
            .build();

    private static ScriptedEngine engine;
    private static OneNode node;

    @BeforeAll
    static void start() {
        engine = new ScriptedEngine();
        node = OneNode.start(Map.of("kvrouter.worker-urls", engine.url().toString()));
        node.awaitModel(ScriptedEngine.MODEL);
    }

    @AfterAll
    static void stop() {
        node.close();
        engine.close();
    }

    @Test
    void readsAnAnswer() {
        ChatResponse answer = model(ScriptedEngine.MODEL, 0).chat(UserMessage.from("hello"));

        assertThat(answer.aiMessage().text()).isEqualTo(ScriptedEngine.TEXT);
        assertThat(answer.tokenUsage().totalTokenCount()).isEqualTo(10);
    }

    @Test
    void callsAToolAndGoesOnWithWhatItSaid() {
        var question = UserMessage.from("weather?");
        var first = model(ScriptedEngine.MODEL, 0).chat(request(question));
        var call = first.aiMessage().toolExecutionRequests().getFirst();

        var said = ToolExecutionResultMessage.from(call, "rain");
        var second = model(ScriptedEngine.MODEL, 0)
                .chat(ChatRequest.builder()
                        .messages(question, first.aiMessage(), said)
                        .toolSpecifications(WEATHER)
                        .build());

        assertThat(call.arguments()).isEqualTo("{\"city\":\"Oslo\"}");
        assertThat(second.aiMessage().text()).isEqualTo(ScriptedEngine.TEXT);
    }

    @Test
    void readsAStreamWithItsUsage() throws Exception {
        var answer = stream(UserMessage.from("hello"), false).get(30, TimeUnit.SECONDS);

        assertThat(answer.aiMessage().text()).isEqualTo(ScriptedEngine.TEXT);
        assertThat(answer.tokenUsage().outputTokenCount()).isEqualTo(3);
    }

    @Test
    void hearsTheEnginesOwnRefusal() {
        assertThatThrownBy(() -> model(ScriptedEngine.MODEL, 2).chat("refuse, langchain"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("as the engine says");
        assertThat(engine.seen("refuse, langchain")).isEqualTo(1);
    }

    @Test
    void hearsTheRoutersRefusal() {
        assertThatThrownBy(() -> model("none", 0).chat("hello"))
                .isInstanceOf(InternalServerException.class)
                .hasMessageContaining("model_not_served");
    }

    @Test
    void comesBackToABusyWorker() {
        assertThat(model(ScriptedEngine.MODEL, 2).chat("busy, langchain")).isEqualTo(ScriptedEngine.TEXT);

        assertThat(engine.seen("busy, langchain")).isEqualTo(2);
    }

    @Test
    void takesAStreamThatBreaksOffForAFailure() {
        var answer = stream(UserMessage.from("break, langchain"), false);

        assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertThat(engine.seen("break, langchain")).isEqualTo(1);
    }

    @Test
    void aStreamThatItCancelsEndsAtTheWorker() {
        var unused = stream(UserMessage.from("endless, langchain"), true);

        OneNode.await(() -> engine.left("endless, langchain"));
    }

    private static OpenAiChatModel model(String name, int retries) {
        return OpenAiChatModel.builder()
                .baseUrl(node.api() + "/v1")
                .apiKey("unused")
                .modelName(name)
                .maxRetries(retries)
                .build();
    }

    private static ChatRequest request(UserMessage message) {
        return ChatRequest.builder()
                .messages(List.of(message))
                .toolSpecifications(WEATHER)
                .build();
    }

    /** The whole answer, or its failure. */
    private static CompletableFuture<ChatResponse> stream(UserMessage message, boolean cancels) {
        var whole = new CompletableFuture<ChatResponse>();
        var model = OpenAiStreamingChatModel.builder()
                .baseUrl(node.api() + "/v1")
                .apiKey("unused")
                .modelName(ScriptedEngine.MODEL)
                .build();
        model.chat(List.of(message), new StreamingChatResponseHandler() {
            @Override
            public void onPartialResponse(PartialResponse partial, PartialResponseContext context) {
                if (cancels) {
                    context.streamingHandle().cancel();
                }
            }

            @Override
            public void onCompleteResponse(ChatResponse answer) {
                whole.complete(answer);
            }

            @Override
            public void onError(Throwable failure) {
                whole.completeExceptionally(failure);
            }
        });
        return whole;
    }
}
