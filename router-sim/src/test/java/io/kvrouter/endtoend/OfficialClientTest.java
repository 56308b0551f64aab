package io.kvrouter.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.BadRequestException;
import com.openai.errors.InternalServerException;
import com.openai.errors.NotFoundException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import io.kvrouter.http.node.RouterNode;
import io.kvrouter.http.settings.ConfigSources;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedWorker;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** OpenAI's own client, a node of this router, and a simulated worker. */
class OfficialClientTest {
    private static final String TEXT = "one two six ten one ";
    private static final SimulatedWorker WORKER = SimulatedWorker.start(
            SimSettings.DEFAULT.withEngine(SimSettings.DEFAULT.engine().withSpeed(1, 100)));
    private static final RouterNode NODE = RouterNode.start(ConfigSources.load(
                    Map.of(
                            "kvrouter.api-port", "0",
                            "kvrouter.management-port", "0",
                            "kvrouter.remoting-port", "0",
                            "kvrouter.shutdown.grace", "0s",
                            "kvrouter.health-check-interval", "100ms",
                            "kvrouter.worker-urls", WORKER.url().toString(),
                            "pekko.loglevel", "WARNING",
                            "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook", "off"),
                    Map.of(),
                    Optional.empty()))
            .toCompletableFuture()
            .join();
    private static final OpenAIClient CLIENT = OpenAIOkHttpClient.builder()
            .baseUrl("http://127.0.0.1:" + NODE.apiPort().toCompletableFuture().join() + "/v1")
            .apiKey("unused")
            .maxRetries(0)
            .build();

    @BeforeAll
    static void waitForTheWorker() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (CLIENT.models().list().data().isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(20);
        }
    }

    @AfterAll
    static void stop() {
        CLIENT.close();
        NODE.stop();
        NODE.terminated().toCompletableFuture().join();
        WORKER.close();
    }

    @Test
    void listsTheWorkersModels() {
        assertThat(CLIENT.models().list().data().getFirst().validate().id()).isEqualTo("sim-model");
    }

    @Test
    void readsAWholeAnswer() {
        var answer = CLIENT.chat().completions().create(chat("sim-model").build());

        assertThat(answer.validate().choices().getFirst().message().content()).hasValue(TEXT);
        assertThat(answer.usage().orElseThrow().completionTokens()).isEqualTo(5);
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
        assertThat(answer.choices().getFirst().message().content()).hasValue(TEXT);
        assertThat(answer.usage().orElseThrow().completionTokens()).isEqualTo(5);
    }

    @Test
    void keepsAConversationOnItsWorkersCache() {
        var params = chat("sim-model").putAdditionalHeader("x-session-id", "s1").build();

        assertThat(decision(params)).isEqualTo("selected");
        assertThat(decision(params)).isEqualTo("pinned");
    }

    private static String decision(ChatCompletionCreateParams params) {
        try (var answer = CLIENT.chat().completions().withRawResponse().create(params)) {
            return answer.headers().values("x-router-decision").getFirst();
        }
    }

    @Test
    void understandsThatNobodyServesAModel() {
        var params = chat("other").build();

        assertThatThrownBy(() -> CLIENT.chat().completions().create(params))
                .isInstanceOfSatisfying(InternalServerException.class, e -> {
                    assertThat(e.statusCode()).isEqualTo(503);
                    assertThat(e.code()).hasValue("model_not_served");
                });
    }

    @Test
    void understandsARefusal() {
        var params = chat("sim-model")
                .putAdditionalHeader("x-session-id", "s".repeat(300))
                .build();

        assertThatThrownBy(() -> CLIENT.chat().completions().create(params))
                .isInstanceOfSatisfying(BadRequestException.class, e -> {
                    assertThat(e.code()).hasValue("bad_request");
                    assertThat(e.param()).hasValue("x-session-id");
                });
    }

    @Test
    void hearsFromAWorkerWhatItDoesNotServe() {
        assertThatThrownBy(() -> CLIENT.batches().retrieve("b"))
                .isInstanceOfSatisfying(
                        NotFoundException.class,
                        e -> assertThat(e.headers().values("x-router-worker")).hasSize(1));
    }

    private static ChatCompletionCreateParams.Builder chat(String model) {
        return ChatCompletionCreateParams.builder()
                .model(model)
                .addSystemMessage("be brief")
                .addUserMessage("hello")
                .maxCompletionTokens(5);
    }
}
