package io.kvrouter.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletionAssistantMessageParam;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionFunctionTool;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.http.tokens.ModelTokens;
import io.kvrouter.sim.kv.KvEventSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedWorker;
import io.kvrouter.sim.tokens.FileTokens;
import io.kvrouter.sim.tokens.ModelFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A conversation with tools through OpenAI's own client, on models whose files the router and the workers have. */
class ToolConversationTest {
    private static final int BLOCK = 16;
    private static final int SLOW = 100_000;

    @TempDir
    private static Path directory = Path.of("");

    private static ModelTokens model;
    private static OneNode node;
    private static OpenAIClient client;

    /** What one turn told. */
    private record Turn(String content, String decision, long overlapTokens, long cachedTokens) {}

    @BeforeAll
    static void start() throws IOException {
        ModelFiles.write(directory);
        model = ModelTokens.load(directory, new SegmentCache(1 << 20), Clock.systemUTC());
        node = OneNode.start(Map.of(
                "kvrouter.models.calling.directory", directory.toString(),
                "kvrouter.models.mistaken.directory", directory.toString()));
        client = node.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        node.close();
        model.close();
    }

    private static SimSettings settings(String name) {
        return SimSettings.DEFAULT
                .withModels(name)
                .withKvEvents(KvEventSettings.DEFAULT)
                .withEngine(SimSettings.DEFAULT.engine().withPool(2_000, BLOCK).withSpeed(1, 200));
    }

    @Test
    void tellsTheEnginesOwnFiguresFromTheFirstTurnOn() {
        try (var first = SimulatedWorker.start(settings("calling").withTokens(new FileTokens(model)));
                var second = SimulatedWorker.start(settings("calling").withTokens(new FileTokens(model)))) {
            List<SimulatedWorker> workers = List.of(first, second);
            workers.forEach(node::register);

            var conversation = conversation();
            Turn fresh = turn(workers, conversation, "s1");
            Turn again = turn(workers, conversation, "s2");
            Turn unbound = turn(workers, conversation, "");

            assertThat(List.of(fresh, again, unbound)).allSatisfy(turn -> {
                assertThat(turn.decision()).isEqualTo("selected");
                assertThat(turn.overlapTokens()).isEqualTo(turn.cachedTokens() / BLOCK * BLOCK);
            });
            assertThat(fresh.cachedTokens()).isZero();
            assertThat(again.cachedTokens()).isGreaterThan(100);
            assertThat(unbound.cachedTokens()).isEqualTo(again.cachedTokens());

            // The bound turns' prompts are read while they are under way: well before what they compute is published.
            workers.forEach(worker -> worker.slowDown(SLOW));
            Turn called = turn(workers, conversation.addMessage(call()).addMessage(result()), "s1");
            conversation.addAssistantMessage(called.content());
            Turn later = turn(workers, conversation.addUserMessage("And tomorrow?"), "s1");

            assertThat(List.of(called, later)).allMatch(turn -> turn.decision().equals("pinned"));
            assertThat(called.cachedTokens()).isGreaterThanOrEqualTo(again.cachedTokens());
            assertThat(later.cachedTokens()).isGreaterThan(called.cachedTokens());
            assertComparedAndEqual(5);
        }
    }

    @Test
    void aWorkerWithOtherTokensIsToldAndServesAllTheSame() {
        try (var worker = SimulatedWorker.start(settings("mistaken"))) {
            node.register(worker);

            node.awaitWorker(worker, json -> json.path("warnings").toString().contains("are not those of the files"));
            var params = ChatCompletionCreateParams.builder()
                    .model("mistaken")
                    .addUserMessage("hello")
                    .maxCompletionTokens(5)
                    .build();
            var answer = client.chat().completions().create(params);

            assertThat(answer.choices().getFirst().message().content()).hasValue("one two six ten one ");
        }
    }

    private static Turn turn(
            List<SimulatedWorker> workers, ChatCompletionCreateParams.Builder conversation, String session) {
        workers.forEach(node::awaitEvents);
        var params = conversation.build().toBuilder();
        if (!session.isEmpty()) {
            params.putAdditionalHeader("x-session-id", session);
        }
        try (var raw = client.chat().completions().withRawResponse().create(params.build())) {
            var answer = raw.parse();
            return new Turn(
                    answer.choices().getFirst().message().content().orElseThrow(),
                    raw.headers().values("x-router-decision").getFirst(),
                    raw.headers().values("x-router-overlap-tokens").stream()
                            .mapToLong(Long::parseLong)
                            .findFirst()
                            .orElse(-1),
                    answer.usage()
                            .flatMap(usage -> usage.promptTokensDetails())
                            .flatMap(details -> details.cachedTokens())
                            .orElseThrow());
        }
    }

    private static void assertComparedAndEqual(int turns) {
        OneNode.await(() -> comparisons(true) + comparisons(false) >= turns);
        assertThat(comparisons(true)).isEqualTo(turns);
        assertThat(node.metric("kvrouter_overlap_reported_tokens_total"))
                .isPositive()
                .isEqualTo(node.metric("kvrouter_overlap_predicted_tokens_total"));
    }

    private static long comparisons(boolean equal) {
        return node.metric("kvrouter_overlap_comparisons_total{equal=\"" + equal + "\"}");
    }

    private static ChatCompletionCreateParams.Builder conversation() {
        var city = JsonValue.from(Map.of("city", Map.of("type", "string", "description", "Name of the city")));
        var weather = FunctionDefinition.builder()
                .name("get_weather")
                .description("Current weather of a city, \u00b0C")
                .parameters(FunctionParameters.builder()
                        .putAdditionalProperty("type", JsonValue.from("object"))
                        .putAdditionalProperty("properties", city)
                        .build())
                .build();
        return ChatCompletionCreateParams.builder()
                .model("calling")
                .maxCompletionTokens(40)
                .addTool(ChatCompletionFunctionTool.builder().function(weather).build())
                .addSystemMessage("You are the one who knows the weather of the world, and you tell it in one line.")
                .addUserMessage("What is the weather in Troms\u00f8?");
    }

    private static ChatCompletionAssistantMessageParam call() {
        return ChatCompletionAssistantMessageParam.builder()
                .content("")
                .addToolCall(ChatCompletionMessageFunctionToolCall.builder()
                        .id("call-1")
                        .function(ChatCompletionMessageFunctionToolCall.Function.builder()
                                .name("get_weather")
                                .arguments("{\"city\": \"Troms\u00f8\"}")
                                .build())
                        .build())
                .build();
    }

    private static ChatCompletionToolMessageParam result() {
        return ChatCompletionToolMessageParam.builder()
                .toolCallId("call-1")
                .content("{\"celsius\": -3.5}")
                .build();
    }
}
