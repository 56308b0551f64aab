package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator sees and does of sessions on the management port. Each test has a group and workers of its own. */
class SessionManagementTest {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"a b c d e f g h\"}";
    private static TestRouter router;
    private static TestEngine engine;

    @BeforeAll
    static void start() throws Exception {
        engine = new TestEngine("m");
        router = TestRouter.start(Map.of());
        worker("w", "default");
    }

    @AfterAll
    static void stop() {
        router.close();
        engine.close();
    }

    @Test
    void aSessionIsShownWithItsContext() throws Exception {
        turn("shown", "default");

        eventually(
                "its turn has ended", () -> one("shown").path("context_tokens").isNumber());
        JsonNode session = one("shown");

        assertThat(session.path("context_tokens").asLong()).isPositive();
        assertThat(session.path("idle_ms").asLong()).isNotNegative();
        assertThat(session.path("worker").asText()).isEqualTo("w");
        assertThat(session.path("node").asText()).startsWith("pekko://");
        assertThat(router.managed("/router/sessions/key/" + session.path("key").asText())
                        .path("version"))
                .isEqualTo(session.path("version"));
    }

    @Test
    void anAgentsSessionIsShownApart() throws Exception {
        router.complete(BODY, "x-claude-code-session-id", "tree", "x-claude-code-agent-id", "leaf");

        eventually(
                "bound",
                () -> router.managed("/router/sessions/tree?agent=leaf").has("worker"));
        assertThat(router.managed("/router/sessions/tree").has("error")).isTrue();
    }

    @Test
    void aSessionIsUnboundByItsIdAndParts() throws Exception {
        turn("ended", "default");
        eventually("bound", () -> one("ended").has("worker"));

        assertThat(delete("/router/sessions/ended?caller=c").statusCode()).isEqualTo(404);
        assertThat(delete("/router/sessions/ended?group=g").statusCode()).isEqualTo(404);
        var answer = delete("/router/sessions/ended?model=m&group=default&caller=");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(TestRouter.json(answer).path("unbound").asBoolean()).isTrue();
        eventually("gone", () -> one("ended").has("error"));
        assertThat(delete("/router/sessions/ended").statusCode()).isEqualTo(404);
        assertThat(turn("ended", "default")).isEqualTo("selected");
    }

    @Test
    void aSessionIsUnboundByItsKey() throws Exception {
        turn("by-key", "default");
        eventually("bound", () -> one("by-key").has("worker"));
        String key = one("by-key").path("key").asText();

        assertThat(delete("/router/sessions/key/" + key).statusCode()).isEqualTo(200);

        eventually("gone", () -> one("by-key").has("error"));
        assertThat(delete("/router/sessions/key/" + key).statusCode()).isEqualTo(404);
    }

    @Test
    void sessionsAreListedPageByPage() throws Exception {
        worker("paged", "pages");
        for (int i = 0; i < 7; i++) {
            turn("page-" + i, "pages");
        }
        eventually("all bound", () -> list("worker=paged").path("sessions").size() == 7);

        List<String> keys = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = list("worker=paged&limit=3" + after);
            assertThat(page.path("sessions").size()).isBetween(1, 3);
            page.path("sessions")
                    .forEach(session -> keys.add(session.path("key").asText()));
            after = page.path("next").isNull()
                    ? ""
                    : "&after=" + page.path("next").asText();
        } while (!after.isEmpty());

        assertThat(keys).hasSize(7).doesNotHaveDuplicates().allMatch(key -> key.matches("[0-9a-f]{32}"));
        assertThat(list("worker=paged").toString()).doesNotContain("page-");
        eventually(
                "counted",
                () -> list("limit=1").at("/bound/workers/paged").asInt() == 7
                        && metric("kvrouter_sessions_bound{worker=\"paged\"} 7.0"::equals));
    }

    @Test
    void sessionsAreListedByShard() throws Exception {
        turn("of-shard", "default");
        eventually("bound", () -> one("of-shard").has("worker"));
        JsonNode session = one("of-shard");

        JsonNode page = list("shard=" + session.path("shard").asText());

        assertThat(page.path("sessions"))
                .anyMatch(one -> one.path("key").equals(session.path("key")))
                .allMatch(one -> one.path("shard").equals(session.path("shard")));
    }

    @Test
    void allSessionsOfAWorkerAreUnbound() throws Exception {
        worker("emptied", "all");
        for (int i = 0; i < 20; i++) {
            turn("all-" + i, "all");
        }
        eventually("all bound", () -> list("worker=emptied").path("sessions").size() == 20);

        var answer = delete("/router/sessions?worker=emptied");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body().strip())
                .isEqualTo("{\"worker\":\"emptied\",\"sessions\":20,\"unbound\":20,\"done\":true}");
        eventually("none", () -> list("worker=emptied").path("sessions").isEmpty());
        assertThat(metric(line -> line.matches("kvrouter_sessions_ended_total\\{how=\"unbound\"} \\d\\d.*")))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, limit=0, limit",
        "GET, limit=1001, limit",
        "GET, limit=many, limit",
        "GET, shard=128, shard",
        "GET, shard=-1, shard",
        "GET, after=xyz, after",
        "GET, after=zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz, after",
        "GET, worker=a%20b, worker",
        "GET, wroker=w, wroker",
        "DELETE, '', worker",
        "DELETE, worker=, worker",
        "DELETE, worker=w&shard=3, shard",
    })
    void aParameterThatCannotBeUsedIsRefusedByItsName(String method, String query, String parameter) throws Exception {
        var refused = router.management(method, "/router/sessions?" + query, "");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(TestRouter.json(refused).at("/error/param").asText()).isEqualTo(parameter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/router/sessions/key/short", "/router/sessions/a%09b", "/router/sessions/s?modle=m"})
    void aSessionThatCannotBeNamedIsRefused(String path) throws Exception {
        assertThat(router.management("GET", path, "").statusCode()).isEqualTo(400);
        assertThat(delete(path).statusCode()).isEqualTo(400);
    }

    @Test
    void aWorkerWithoutSessionsHasNoneToUnbind() throws Exception {
        assertThat(delete("/router/sessions?worker=nobody").body())
                .contains("\"sessions\":0")
                .contains("\"done\":true");
    }

    private static void worker(String id, String group) throws Exception {
        router.register(engine.url(), ",\"id\":\"" + id + "\",\"group\":\"" + group + "\"");
    }

    /** A turn, and its decision. */
    private static String turn(String session, String group) throws Exception {
        var answer = router.complete(BODY, "x-session-id", session, "x-router-group", group);
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.headers().firstValue("x-router-decision").orElse("");
    }

    private static JsonNode one(String id) {
        return router.managed("/router/sessions/" + id);
    }

    private static JsonNode list(String query) {
        return router.managed("/router/sessions?" + query);
    }

    private static HttpResponse<String> delete(String path) throws Exception {
        return router.management("DELETE", path, "");
    }

    private static boolean metric(Predicate<String> line) {
        try {
            return router.management("GET", "/metrics", "").body().lines().anyMatch(line);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
