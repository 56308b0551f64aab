package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sessions as a client meets them at one node with workers a and b. */
class SessionsTest {
    private static final String BODY = "{\"model\":\"m\",\"prompt\":\"x\"}";
    private static TestRouter router;
    private static TestEngine first;
    private static TestEngine second;

    @BeforeAll
    static void start() throws Exception {
        first = new TestEngine("m");
        second = new TestEngine("m");
        router = TestRouter.start(Map.of(
                "kvrouter.session-mode-per-model.\"n\"", "off",
                "kvrouter.session-mode-per-model.\"h\"", "hard",
                "kvrouter.busy.requests", "0",
                "kvrouter.max-attempts", "2"));
        router.register(first.url(), ",\"id\":\"a\",\"models\":[\"m\",\"n\",\"h\"]");
        router.register(second.url(), ",\"id\":\"b\",\"models\":[\"m\",\"n\",\"h\"]");
    }

    @AfterAll
    static void stop() {
        router.close();
        first.close();
        second.close();
    }

    @AfterEach
    void enginesAnswer() throws Exception {
        first.follow(TestEngine.OK);
        second.follow(TestEngine.OK);
        eventually("no load", () -> router.requests() == 0);
    }

    @Test
    void anIdInsideThePromptIsNotRead() throws Exception {
        String body = "{\"model\":\"m\",\"prompt\":\"{\\\"session_id\\\":\\\"inner\\\"}\"}";
        for (int i = 0; i < 3; i++) {
            assertThat(turn(body)).startsWith("selected");
        }

        assertThat(router.managed("/router/sessions/inner?model=m").has("error"))
                .isTrue();
    }

    @Test
    void aFirstTurnWhoseWorkerCannotBeReachedLeavesNoBinding() throws Exception {
        try (var engine = new TestEngine("m")) {
            router.register(engine.url(), ",\"id\":\"closed\",\"group\":\"closed\"");
        }

        var answer = router.complete(BODY, "x-session-id", "lost", "x-router-group", "closed");

        assertThat(answer.statusCode()).isIn(502, 503); // 503 where a health check was faster
        eventually(
                "not bound",
                () -> router.managed("/router/sessions/lost?model=m&group=closed")
                        .has("error"));
        router.remove("closed");
    }

    @Test
    void aFirstTurnWhoseWorkerResetsItLeavesNoBinding() throws Exception {
        try (var engine = new TestEngine("m")) {
            router.register(engine.url(), ",\"id\":\"reset\",\"group\":\"reset\"");
            engine.follow((peer, request) -> peer.reset());

            assertThat(router.complete(BODY, "x-session-id", "reset", "x-router-group", "reset")
                            .statusCode())
                    .isEqualTo(502);
        }

        eventually(
                "not bound",
                () -> router.managed("/router/sessions/reset?model=m&group=reset")
                        .has("error"));
        router.remove("reset");
    }

    @Test
    void anAllowlistWithoutTheBoundWorkerRebindsOnceAndItDoesNotFlipBack() throws Exception {
        assertThat(turn(BODY, "x-session-id", "listed", "x-router-allow", "a")).isEqualTo("selected a");
        bound("listed", "m", "a");

        assertThat(turn(BODY, "x-session-id", "listed", "x-router-allow", "b")).isEqualTo("rebound b");
        bound("listed", "m", "b");
        for (String allowed : new String[] {"a,b", "b", "b,a"}) {
            assertThat(turn(BODY, "x-session-id", "listed", "x-router-allow", allowed))
                    .isEqualTo("pinned b");
        }
    }

    @Test
    void oneIdUnderTwoModelsAndGroupsIsThreeSessions() throws Exception {
        router.register(first.url(), ",\"id\":\"a2\",\"group\":\"two\",\"models\":[\"m\"]");
        assertThat(turn(BODY, "x-session-id", "same", "x-router-allow", "a")).isEqualTo("selected a");
        assertThat(turn(BODY.replace("\"m\"", "\"h\""), "x-session-id", "same", "x-router-allow", "b"))
                .isEqualTo("selected b");
        assertThat(turn(BODY, "x-session-id", "same", "x-router-group", "two")).isEqualTo("selected a2");

        bound("same", "m", "a");
        bound("same", "h", "b");
        bound("same", "m&group=two", "a2");
        router.remove("a2");
    }

    @Test
    void aModelWhoseModeIsOffHasNoSessions() throws Exception {
        String body = BODY.replace("\"m\"", "\"n\"");

        assertThat(turn(body, "x-session-id", "loose")).startsWith("selected");
        assertThat(turn(body, "x-session-id", "loose")).startsWith("selected");
        assertThat(router.managed("/router/sessions/loose?model=n").has("error"))
                .isTrue();
    }

    @Test
    void aSessionThatWaitsForItsBusyWorkerIsToldWhenToComeBack() throws Exception {
        String body = BODY.replace("\"m\"", "\"h\"");
        turn(body, "x-session-id", "patient", "x-router-allow", "a");
        bound("patient", "h", "a");
        first.follow((peer, request) -> {
            var busy = router.complete(body, "x-session-id", "patient");
            assertThat(busy.statusCode()).isEqualTo(429);
            assertThat(busy.headers().firstValue("retry-after")).hasValue("1");
            assertThat(busy.headers().firstValue("x-router-reason")).hasValue("session_worker_busy");
            TestEngine.OK.run(peer, request);
        });

        assertThat(turn(body, "x-session-id", "patient")).isEqualTo("pinned a");
    }

    @Test
    void aSessionThatWaitsForItsWorkerHearsItsOwnAnswer() throws Exception {
        String body = BODY.replace("\"m\"", "\"h\"");
        turn(body, "x-session-id", "strict", "x-router-allow", "a");
        bound("strict", "h", "a");
        first.follow(TestEngine.answering("429 Slow down", "Retry-After: 7\r\nx-worker: own\r\n", "later"));

        var answer = router.complete(body, "x-session-id", "strict");

        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.body()).isEqualTo("later");
        assertThat(answer.headers().firstValue("retry-after")).hasValue("7");
        assertThat(answer.headers().firstValue("x-worker")).hasValue("own");
        assertThat(answer.headers().firstValue("x-router-reason")).isEmpty();
    }

    @Test
    void ofARepeatedHeaderTheFirstCounts() throws Exception {
        turn(BODY, "x-session-id", "once", "x-session-id", "twice", "x-router-allow", "a");

        bound("once", "m", "a");
        assertThat(router.managed("/router/sessions/twice?model=m").has("error"))
                .isTrue();
    }

    @Test
    void anIdThatCannotBeIsRefusedAndNotRepeated() throws Exception {
        var refused = router.complete(BODY, "x-session-id", "u".repeat(257));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.headers().firstValue("x-router-reason")).hasValue("bad_request");
        assertThat(refused.body()).doesNotContain("uuu").contains("\"param\":\"x-session-id\"");
    }

    /** A request, its decision and its worker. */
    private static String turn(String body, String... headers) throws Exception {
        var answer = router.complete(body, headers);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.headers().firstValue("x-router-decision").orElse("") + " "
                + answer.headers().firstValue("x-router-worker").orElse("");
    }

    private static void bound(String id, String model, String worker) throws Exception {
        eventually(
                "bound",
                () -> router.managed("/router/sessions/" + id + "?model=" + model)
                        .path("worker")
                        .asText()
                        .equals(worker));
    }
}
