package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The management port of a node. Each test has workers of its own. */
class ManagementTest {
    private static TestRouter router;
    private static TestEngine engine;

    @BeforeAll
    static void start() throws Exception {
        engine = new TestEngine("m");
        router = TestRouter.start(
                Map.of("kvrouter.worker-urls", engine.url().toString(), "kvrouter.kv-events-silence", "1s"));
    }

    @AfterAll
    static void stop() {
        router.close();
        engine.close();
    }

    @Test
    void aStaticWorkerIsShownAsThisNodeFindsIt() {
        eventuallyUp();

        JsonNode worker = router.managed("/workers").path("workers").get(0);

        assertThat(worker.path("url").asText()).isEqualTo(engine.url().toString());
        assertThat(worker.path("id").asText()).matches("[0-9a-f]{12}");
        assertThat(worker.path("models")).extracting(JsonNode::asText).containsExactly("m");
        assertThat(worker.path("origin").asText()).isEqualTo("static");
        assertThat(worker.path("group").asText()).isEqualTo("default");
    }

    @Test
    void aWorkerIsRegisteredChangedAndRemoved() throws Exception {
        var posted = router.management("POST", "/workers", """
                {"url": "HTTP://Localhost:1/", "id": "w-1", "models": ["a", "b"], "block_size": 32, "ranks": 2,
                 "labels": {"rack": "r7"}}""");
        assertThat(posted.statusCode()).isEqualTo(201);
        assertThat(TestRouter.json(posted).path("url").asText()).isEqualTo("http://localhost:1");
        assertThat(TestRouter.json(posted).path("state").asText()).isEqualTo("pending");

        var patched = router.management("PATCH", "/workers/w-1", "{\"draining\": true, \"group\": \"g\"}");
        assertThat(patched.statusCode()).isEqualTo(200);
        assertThat(router.managed("/workers/w-1").path("draining").asBoolean()).isTrue();
        assertThat(router.managed("/workers/w-1").path("group").asText()).isEqualTo("g");
        assertThat(router.managed("/workers/w-1").at("/labels/rack").asText()).isEqualTo("r7");

        assertThat(router.management("DELETE", "/workers/w-1", "").statusCode()).isEqualTo(200);
        assertError(router.management("GET", "/workers/w-1", ""), 404, "unknown_worker");
        assertError(router.management("DELETE", "/workers/w-1", ""), 404, "unknown_worker");
    }

    @RepeatedTest(100)
    void whoChangesAWorkerFindsItChanged() throws Exception {
        router.management("POST", "/workers", "{\"url\": \"http://127.0.0.1:1\", \"id\": \"w-own\"}");
        assertThat(router.managed("/workers").findValuesAsText("id")).contains("w-own");

        router.management("DELETE", "/workers/w-own", "");
        assertThat(router.managed("/workers").findValuesAsText("id")).doesNotContain("w-own");
    }

    @Test
    void aWorkersKvEventsAreShownAndFollowed() throws Exception {
        var posted = router.management("POST", "/workers", """
                {"url": "http://127.0.0.1:1", "id": "w-kv", "models": ["k"], "block_size": 16,
                 "kv_events": {"endpoints": ["tcp://127.0.0.1:1"], "replay": ["tcp://127.0.0.1:2"]}}""");
        assertThat(posted.statusCode()).isEqualTo(201);

        eventually(
                "told that nothing comes",
                () -> router.managed("/workers/w-kv")
                        .at("/kv/ranks/0/state")
                        .asText()
                        .equals("silent"));
        JsonNode worker = router.managed("/workers/w-kv");

        assertThat(worker.at("/kv_events/endpoints/0").asText()).isEqualTo("tcp://127.0.0.1:1");
        assertThat(worker.at("/kv/block_size").asInt()).isEqualTo(16);
        assertThat(worker.path("warnings"))
                .extracting(JsonNode::asText)
                .anyMatch(text -> text.contains("No KV events"));
        assertThat(metrics()).contains("kvrouter_kv_rank_state{rank=\"0\",state=\"silent\",worker=\"w-kv\"} 1");

        router.management("DELETE", "/workers/w-kv", "");
        eventually("the series are gone", () -> !metrics().contains("w-kv"));
    }

    private static String metrics() {
        try {
            return router.management("GET", "/metrics", "").body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "[]",
                "{\"endpoint\": []}",
                "{\"endpoints\": \"tcp://h:1\"}",
                "{\"endpoints\": [1]}",
                "{\"endpoints\": [\"ipc:///tmp/kv\"]}",
                "{\"replay\": [\"tcp://h:1\"]}"
            })
    void kvEventsThatCantBeFollowedAreRefusedByName(String events) throws Exception {
        var refused = router.management("POST", "/workers", "{\"url\": \"http://h:1\", \"kv_events\": " + events + "}");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("kv_events");
    }

    @Test
    void kvEventsOnTheDefaultPortsAreShownAsTheyWereRegistered() throws Exception {
        router.management("POST", "/workers", "{\"url\":\"http://h:7\",\"id\":\"w-7\",\"kv_events\":{}}");
        router.management("POST", "/workers", "{\"url\":\"http://h:8\",\"id\":\"w-8\",\"kv_events\":false}");

        assertThat(router.managed("/workers/w-7").path("kv_events").asBoolean()).isTrue();
        assertThat(router.managed("/workers/w-8").path("kv_events").isBoolean()).isTrue();
        assertThat(router.managed("/workers/w-8").path("kv_events").asBoolean()).isFalse();
    }

    @Test
    void aWorkerRegisteredAgainIsReplaced() throws Exception {
        router.management("POST", "/workers", "{\"url\":\"http://h:1\",\"id\":\"w-2\",\"group\":\"g\"}");

        router.management("POST", "/workers", "{\"url\":\"http://h:2\",\"id\":\"w-2\"}");

        assertThat(router.managed("/workers/w-2").path("url").asText()).isEqualTo("http://h:2");
        assertThat(router.managed("/workers/w-2").path("group").asText()).isEqualTo("default");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{}",
                "{\"url\":7}",
                "{\"url\":\"w:1\"}",
                "{\"url\":\"http://h:1\",\"colour\":\"blue\"}",
                "{\"url\":\"http://h:1\",\"id\":\"a b\"}",
                "{\"url\":\"http://h:1\",\"id\":\"\"}",
                "{\"url\":\"http://h:1\",\"models\":\"m\"}",
                "{\"url\":\"http://h:1\",\"models\":[7]}",
                "{\"url\":\"http://h:1\",\"block_size\":0}",
                "{\"url\":\"http://h:1\",\"block_size\":1.5}",
                "{\"url\":\"http://h:1\",\"block_size\":99999999999}",
                "{\"url\":\"http://h:1\",\"ranks\":1000000}",
                "{\"url\":\"http://h:1\",\"labels\":{\"a\":1}}",
                "{\"url\":\"http://h:1\",\"group\":\" \"}",
            })
    void aBadRegistrationIsRefused(String body) throws Exception {
        assertError(router.management("POST", "/workers", body), 400, "bad_request");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"url\":\"http://h:2\"}",
                "{\"draining\":\"yes\"}",
                "{\"draining\":null}",
                "{\"group\":7}",
                "[]"
            })
    void aBadChangeIsRefusedAndTheRegisterLivesOn(String body) throws Exception {
        router.management("POST", "/workers", "{\"url\":\"http://h:3\",\"id\":\"w-3\"}");

        assertError(router.management("PATCH", "/workers/w-3", body), 400, "bad_request");

        assertThat(router.management("PATCH", "/workers/w-3", "{\"labels\":{}}").statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /workers/none, 404, unknown_worker",
        "PATCH, /workers/none, 404, unknown_worker",
        "GET, /workers/a%20b, 400, bad_request",
        "PUT, /workers, 405, method_not_allowed",
        "POST, /router/load, 405, method_not_allowed",
        "GET, /nothing, 404, unknown_path",
        "GET, /router/nothing, 404, unknown_path",
        "GET, /router/sessions/none, 404, unknown_session",
    })
    void whatIsNotThereIsAnErrorWithAReason(String method, String path, int status, String reason) throws Exception {
        eventuallyUp();

        assertError(router.management(method, path, method.equals("PATCH") ? "{}" : ""), status, reason);
    }

    @Test
    void aSessionIsShownWithItsWorkerAndItsShard() throws Exception {
        eventuallyUp();
        router.complete("{\"model\":\"m\",\"prompt\":\"a\"}", "x-session-id", "shown");
        eventually("bound", () -> router.managed("/router/sessions/shown").has("worker"));

        JsonNode session = router.managed("/router/sessions/shown");

        String shard = session.path("shard").asText();
        assertThat(session.path("key").asText()).doesNotContain("shown");
        assertThat(session.path("version").asLong()).isPositive();
        assertThat(router.managed("/router/shards").path("shards"))
                .filteredOn(one -> one.path("shard").asText().equals(shard))
                .singleElement()
                .satisfies(one -> assertThat(one.path("actors").asInt()).isPositive());
        assertThat(router.managed("/cluster/shards/session").path("regions"))
                .anyMatch(region -> region.path("shardId").asText().equals(shard));
    }

    @Test
    void theLastTurnTakesTheSessionAway() throws Exception {
        eventuallyUp();
        router.complete("{\"model\":\"m\",\"prompt\":\"a\"}", "x-session-id", "brief");
        eventually("bound", () -> router.managed("/router/sessions/brief").has("worker"));

        router.complete("{\"model\":\"m\",\"prompt\":\"a\"}", "x-session-id", "brief", "x-session-final", "true");

        eventually("gone", () -> router.managed("/router/sessions/brief").has("error"));
    }

    @Test
    void theLoadOfARequestShowsWhileItRuns() throws Exception {
        eventuallyUp();
        engine.follow((peer, request) -> {
            eventually("the load shows", () -> router.requests() == 1);
            TestEngine.OK.run(peer, request);
        });

        assertThat(router.complete("{\"model\":\"m\",\"prompt\":\"a\"}").statusCode())
                .isEqualTo(200);

        engine.follow(TestEngine.OK);
        eventually("no load", () -> router.requests() == 0);
    }

    @Test
    void metricsAreInPrometheusTextFormat() throws Exception {
        router.complete("{\"model\":\"nobody\",\"prompt\":\"a\"}");

        var metrics = router.management("GET", "/metrics", "");

        assertThat(metrics.headers().firstValue("content-type").orElse("")).startsWith("text/plain");
        assertThat(metrics.body().lines())
                .allMatch(
                        line -> line.matches(
                                "# (HELP|TYPE) (kvrouter|jvm|process)_\\w+ .*|(kvrouter|jvm|process)_\\w+(\\{.*})? [-+0-9.eE]+"))
                .anyMatch(line -> line.startsWith("kvrouter_answers_total{decision=\"none\",status=\"503\"} "))
                .anyMatch(line -> line.startsWith("kvrouter_own_load_requests{node=\"pekko://"))
                .anyMatch(line -> line.startsWith("kvrouter_load_bookings_total{node=\"pekko://"));
    }

    @Test
    void pekkosOwnRoutesAreThere() throws Exception {
        assertThat(router.managed("/cluster/members").path("members")).hasSize(1);
        eventually("ready", () -> get("/ready") == 200);
        assertThat(get("/alive")).isEqualTo(200);
    }

    private static int get(String path) {
        try {
            return router.management("GET", path, "").statusCode();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void eventuallyUp() {
        try {
            eventually(
                    "the static worker is up",
                    () -> router.managed("/workers").toString().contains("\"up\""));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertError(HttpResponse<String> answer, int status, String reason) throws Exception {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(TestRouter.json(answer).at("/error/code").asText()).isEqualTo(reason);
    }
}
