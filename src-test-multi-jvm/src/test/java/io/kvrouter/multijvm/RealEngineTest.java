package io.kvrouter.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.llama.TinyModel;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why a session stays: two llama.cpp behind a node, by their own figures of what they found and what they computed. */
@SuppressWarnings("NullAway.Init") // JUnit sets them
class RealEngineTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> WORKERS = List.of("llama-0", "llama-1");
    private static final int ANSWER = 24;
    /** Tokens with which all prompts begin, one a byte: the mark of the beginning, then {@code user: }. */
    private static final int BEGINNING = 7;

    @TempDir
    private static Path files;

    private static LlamaProcess first;
    private static LlamaProcess second;
    private static NodeCluster cluster;

    @BeforeAll
    static void start() throws Throwable {
        Path model = files.resolve("tiny.gguf");
        TinyModel.write(model, 1);
        first = LlamaProcess.start(model, files.resolve("0"));
        second = LlamaProcess.start(model, files.resolve("1"));
        cluster = NodeCluster.start("llama", List.of(Map.of("kvrouter.health-check-interval", "200ms")));
        var management = Management.of(cluster.node(0));
        management.post(
                "/workers", Map.of("id", WORKERS.get(0), "url", first.url().toString()));
        management.post(
                "/workers", Map.of("id", WORKERS.get(1), "url", second.url().toString()));
        Eventually.eventually(() -> assertThat(management.workers())
                .containsEntry(WORKERS.get(0), "up")
                .containsEntry(WORKERS.get(1), "up"));
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
        first.close();
        second.close();
    }

    /** A turn's answer, and the engine's figures of it. */
    private record Turn(String worker, String decision, String content, JsonNode usage, JsonNode timings) {
        int prompt() {
            return usage.path("prompt_tokens").asInt();
        }

        int cached() {
            return usage.path("prompt_tokens_details").path("cached_tokens").asInt();
        }

        int processed() {
            return timings.path("prompt_n").asInt();
        }

        double prefillMs() {
            return timings.path("prompt_ms").asDouble();
        }
    }

    @Test
    void aTurnComputesOnlyWhatIsNewAtItsWorkerAndEverythingAtTheOther() throws Exception {
        ArrayNode talk = JSON.createArrayNode();
        Turn one = say(talk, "s1", "alpha ".repeat(250), false, "");
        Turn two = say(talk, "s1", "and then?", false, "");
        String other = one.worker().equals(WORKERS.get(0)) ? WORKERS.get(1) : WORKERS.get(0);
        Turn elsewhere = say(talk, "s1", "and then?", false, other);

        assertThat(one.decision()).isEqualTo("selected");
        assertThat(one.cached()).isLessThanOrEqualTo(BEGINNING);
        assertThat(one.processed()).isEqualTo(one.prompt() - one.cached());

        assertThat(two.decision()).isEqualTo("pinned");
        assertThat(two.worker()).isEqualTo(one.worker());
        assertThat(two.cached()).as("all but the answer's last token").isEqualTo(one.prompt() + ANSWER - 1);
        assertThat(two.processed()).isEqualTo(two.prompt() - two.cached());

        assertThat(elsewhere.worker()).isEqualTo(other);
        assertThat(elsewhere.cached()).isLessThanOrEqualTo(BEGINNING);
        assertThat(elsewhere.processed()).isEqualTo(elsewhere.prompt() - elsewhere.cached());
        System.out.printf(
                "llama.cpp, 1 thread: %d tokens at first %.1f ms, %d of %d at the same worker %.1f ms, %d at the"
                        + " other %.1f ms%n",
                one.processed(),
                one.prefillMs(),
                two.processed(),
                two.prompt(),
                two.prefillMs(),
                elsewhere.processed(),
                elsewhere.prefillMs());
    }

    @Test
    void aStreamedConversationKeepsItsCacheToo() throws Exception {
        ArrayNode talk = JSON.createArrayNode();
        Turn before = say(talk, "s2", "omega ".repeat(100), true, "");
        for (int turn = 1; turn < 5; turn++) {
            Turn now = say(talk, "s2", "more", true, before.worker());

            assertThat(now.content()).hasSize(ANSWER);
            assertThat(now.cached()).isEqualTo(before.prompt() + ANSWER - 1);
            assertThat(now.processed()).isEqualTo(now.prompt() - now.cached());
            before = now;
        }
    }

    /** Adds a message and the answer to it to the talk; to whatever worker, if none is named. */
    private static Turn say(ArrayNode talk, String session, String text, boolean stream, String worker)
            throws Exception {
        talk.addObject().put("role", "user").put("content", text);
        ObjectNode body = JSON.createObjectNode().put("model", "tiny").put("max_tokens", ANSWER);
        body.put("stream", stream).set("messages", talk);
        var request = HttpRequest.newBuilder(cluster.node(0).api().resolve("/v1/chat/completions"))
                .header("content-type", "application/json")
                .header("x-session-id", session)
                .timeout(Eventually.PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
        if (!worker.isEmpty()) {
            request.header("x-router-worker", worker);
        }
        var response = Chat.CLIENT.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        Turn turn = stream ? streamed(response) : whole(response);
        talk.addObject().put("role", "assistant").put("content", turn.content());
        return turn;
    }

    private static Turn whole(HttpResponse<String> response) throws Exception {
        JsonNode answer = JSON.readTree(response.body());
        String content =
                answer.path("choices").path(0).path("message").path("content").asText();
        return turn(response, content, answer);
    }

    private static Turn streamed(HttpResponse<String> response) throws Exception {
        var content = new StringBuilder();
        JsonNode last = JSON.createObjectNode();
        for (String line : response.body()
                .lines()
                .filter(line -> line.startsWith("data: {"))
                .toList()) {
            last = JSON.readTree(line.substring("data: ".length()));
            content.append(
                    last.path("choices").path(0).path("delta").path("content").asText());
        }
        return turn(response, content.toString(), last);
    }

    private static Turn turn(HttpResponse<String> response, String content, JsonNode last) {
        var headers = response.headers();
        return new Turn(
                headers.firstValue("x-router-worker").orElse(""),
                headers.firstValue("x-router-decision").orElse(""),
                content,
                last.path("usage"),
                last.path("timings"));
    }
}
