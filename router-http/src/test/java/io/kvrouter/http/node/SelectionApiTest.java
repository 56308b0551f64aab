package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** A caller that forwards itself, one node, two workers. */
class SelectionApiTest {
    private static final String TOKENS = tokens(64);
    private static TestRouter router;
    private static TestEngine first;
    private static TestEngine second;
    private static String a;
    private static String b;
    private final List<String> reserved = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of("kvrouter.selection-api.lease", "2s"));
        first = new TestEngine("m");
        second = new TestEngine("m");
        a = router.register(first.url(), ",\"block_size\":16");
        b = router.register(second.url(), ",\"block_size\":16");
    }

    @AfterAll
    static void stop() throws Exception {
        router.close();
        first.close();
        second.close();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        for (String id : reserved) {
            router.api("DELETE", "/reservations/" + id, "");
        }
        eventually("no load", () -> router.requests() == 0);
    }

    @Test
    void selectAndReserveTellsWhereToGoAndBooksIt() throws Exception {
        var answer = reserve("\"token_ids\":" + TOKENS + ",\"reservation_id\":\"r1\"");

        assertThat(answer.path("reservation_id").asText()).matches("[0-9a-f]{16}-r1");
        assertThat(answer.path("state").asText()).isEqualTo("booked");
        assertThat(answer.path("decision").asText()).isEqualTo("selected");
        assertThat(answer.path("worker_id").asText()).isIn(a, b);
        assertThat(answer.path("endpoint").asText())
                .isIn(first.url().toString(), second.url().toString());
        assertThat(answer.path("isl_tokens").asLong()).isEqualTo(64);
        assertThat(answer.path("lease_ms").asLong()).isEqualTo(2_000);
        assertThat(answer.has("session")).isFalse();
        assertThat(loaded(answer).path("active_decode_blocks").asLong()).isEqualTo(4);
    }

    @Test
    void aCompletedPrefillCountsNoMoreAndAnEndFreesAll() throws Exception {
        var answer = reserve("\"token_ids\":" + tokens(1_000));
        String id = id(answer);
        assertThat(loaded(answer).path("active_prefill_tokens").asLong()).isPositive();

        var prefilled = router.call("/reservations/" + id + "/prefill_complete", "");
        assertThat(prefilled.path("state").asText()).isEqualTo("prefill_complete");
        eventually("prefilled", () -> load(answer).path("active_prefill_tokens").asLong() == 0);
        assertThat(load(answer).path("active_requests").asLong()).isEqualTo(1);

        var ended = TestRouter.json(router.api("DELETE", "/reservations/" + id, ""));
        assertThat(ended.path("state").asText()).isEqualTo("ended");
        eventually("free", () -> load(answer).path("active_decode_blocks").asLong() == 0);
    }

    @Test
    void outputBlocksAddToTheLoad() throws Exception {
        var answer = reserve("\"token_ids\":" + TOKENS);

        router.call("/reservations/" + id(answer) + "/output_block", "");
        eventually("5 blocks", () -> load(answer).path("active_decode_blocks").asLong() == 5);
        router.call("/reservations/" + id(answer) + "/output_block", "{\"output_blocks\":3}");
        eventually("7 blocks", () -> load(answer).path("active_decode_blocks").asLong() == 7);
    }

    @Test
    void expectedOutputIsReservedFromTheStart() throws Exception {
        var answer = reserve("\"token_ids\":" + TOKENS + ",\"expected_output_tokens\":160");

        eventually("14 blocks", () -> load(answer).path("active_decode_blocks").asLong() == 14);
    }

    @Test
    void blockHashesTextAndMessagesArePromptsToo() throws Exception {
        assertThat(reserve("\"block_hashes\":[1,18446744073709551615,-3],\"isl_tokens\":50")
                        .path("isl_tokens")
                        .asLong())
                .isEqualTo(50);
        assertThat(reserve("\"text\":\"" + "word ".repeat(80) + "\"")
                        .path("isl_tokens")
                        .asLong())
                .isPositive();
        assertThat(reserve("\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]")
                        .path("state")
                        .asText())
                .isEqualTo("booked");
    }

    @Test
    void aSessionIsBoundAndFollowedAsByTurnsThatAreForwarded() throws Exception {
        var bound = reserve("\"token_ids\":" + TOKENS + ",\"session_id\":\"s-bound\"");
        assertThat(bound.path("decision").asText()).isEqualTo("selected");
        assertThat(bound.path("session").path("key").asText()).matches("[0-9a-f]{32}");

        var later = reserve("\"token_ids\":" + TOKENS + ",\"session_id\":\"s-bound\"");
        var turn = router.complete("{\"model\":\"m\",\"prompt\":\"x\"}", "x-session-id", "s-bound");

        assertThat(turn.statusCode()).as(turn.body()).isEqualTo(200);
        assertThat(later.path("decision").asText()).isEqualTo("pinned");
        assertThat(later.path("worker_id")).isEqualTo(bound.path("worker_id"));
        assertThat(later.path("session")).isEqualTo(bound.path("session"));
        assertThat(turn.headers().firstValue("x-router-decision")).contains("pinned");
        assertThat(turn.headers().firstValue("x-router-worker"))
                .contains(bound.path("worker_id").asText());
    }

    @Test
    void anAllowlistWithoutTheBoundWorkerRebinds() throws Exception {
        var bound = reserve("\"token_ids\":" + TOKENS + ",\"session_id\":\"s-moved\"");
        String other = bound.path("worker_id").asText().equals(a) ? b : a;

        var moved = reserve(
                "\"token_ids\":" + TOKENS + ",\"session_id\":\"s-moved\",\"allowed_worker_ids\":[\"" + other + "\"]");

        assertThat(moved.path("decision").asText()).isEqualTo("rebound");
        assertThat(moved.path("worker_id").asText()).isEqualTo(other);
        assertThat(Long.parseLong(moved.path("session").path("version").asText()))
                .isGreaterThan(
                        Long.parseLong(bound.path("session").path("version").asText()));
    }

    @Test
    void aFirstTurnThatWasNotServedLeavesNoBinding() throws Exception {
        var bound = reserve("\"token_ids\":" + TOKENS + ",\"session_id\":\"s-unserved\"");

        router.api("DELETE", "/reservations/" + id(bound) + "?served=false", "");

        eventually("unbound", () -> !pure("s-unserved").path("session").has("worker_id"));
    }

    @Test
    void theEndTellsTheContextOfTheNextTurn() throws Exception {
        var bound = reserve("\"token_ids\":" + tokens(100) + ",\"session_id\":\"s-context\"");
        router.api(
                "DELETE",
                "/reservations/" + id(bound),
                "{\"served\":true,\"context_tokens\":5000}",
                "Content-Type",
                "application/json");

        var later = reserve(
                "\"block_hashes\":[" + "7,".repeat(311) + "8],\"isl_tokens\":4992," + "\"session_id\":\"s-context\"");

        assertThat(later.path("decision").asText()).isEqualTo("pinned");
        assertThat(later.path("overlap_tokens").asLong()).isEqualTo(4_992);
    }

    @Test
    void selectChangesNothing() throws Exception {
        var unbound = pure("s-pure");
        assertThat(unbound.path("decision").asText()).isEqualTo("selected");
        assertThat(unbound.has("reservation_id")).isFalse();
        assertThat(router.requests()).isZero();

        var bound = reserve("\"token_ids\":" + TOKENS + ",\"session_id\":\"s-pure\"");
        var pinned = pure("s-pure");

        assertThat(bound.path("decision").asText()).isEqualTo("selected");
        assertThat(pinned.path("decision").asText()).isEqualTo("pinned");
        assertThat(pinned.path("worker_id")).isEqualTo(bound.path("worker_id"));
        assertThat(pinned.path("session")).isEqualTo(bound.path("session"));
    }

    @Test
    void aBookingOnANamedWorkerBindsNothing() throws Exception {
        var answer = remember(router.call(
                "/reservations",
                "{\"model\":\"m\",\"worker_id\":\"" + b + "\",\"session_id\":\"s-mirror\",\"token_ids\":" + TOKENS
                        + "}"));

        assertThat(answer.path("worker_id").asText()).isEqualTo(b);
        assertThat(answer.has("session")).isFalse();
        assertThat(loaded(answer).path("worker_id").asText()).isEqualTo(b);
        assertThat(pure("s-mirror").path("session").has("version")).isFalse();
    }

    @Test
    void whatALiveNodeHoldsIsNotMirrored() throws Exception {
        var answer = reserve("\"token_ids\":" + TOKENS);

        var mirrored = mirror(id(answer), 200);

        assertThat(mirrored.path("mirrored").isBoolean()).isTrue();
        assertThat(mirrored.path("mirrored").asBoolean()).isFalse();
        loaded(answer);
    }

    @Test
    void whatANodeThatIsGoneHeldIsMirroredOnce() throws Exception {
        String id = "00000000000000aa-r9";

        assertThat(remember(mirror(id, 200)).path("state").asText()).isEqualTo("booked");
        assertThat(mirror(id, 409).path("error").path("code").asText()).isEqualTo("reservation_exists");
        assertThat(router.call("/reservations/" + id + "/prefill_complete", "")
                        .path("state")
                        .asText())
                .isEqualTo("prefill_complete");
        assertThat(TestRouter.json(router.api("DELETE", "/reservations/" + id, ""))
                        .path("state")
                        .asText())
                .isEqualTo("ended");
    }

    @Test
    void anEndThatOvertakesItsReservationIsRemembered() throws Exception {
        String id = "00000000000000ab-r9";
        var unknown = router.api("DELETE", "/reservations/" + id, "");
        assertThat(unknown.statusCode()).isEqualTo(404);

        assertThat(mirror(id, 200).path("state").asText()).isEqualTo("ended");
        assertThat(router.requests()).isZero();
    }

    @Test
    void theSameIdTwiceIsAConflictWhileItIsHeld() throws Exception {
        String twice = "{\"model\":\"m\",\"reservation_id\":\"twice\",\"token_ids\":[1]}";
        var made = remember(router.call("/select_and_reserve", twice));

        var again = router.api("POST", "/select_and_reserve", twice, "Content-Type", "application/json");
        assertThat(again.statusCode()).isEqualTo(409);
        router.api("DELETE", "/reservations/" + id(made), "");

        assertThat(router.call("/select_and_reserve", twice).path("state").asText())
                .isEqualTo("ended");
    }

    @Test
    void aCallerThatIsNotHeardForTheTimeOfALeaseIsTakenForGone() throws Exception {
        var answer = router.call("/select_and_reserve", "{\"model\":\"m\",\"token_ids\":" + TOKENS + "}");

        loaded(answer);
        eventually("expired", () -> load(answer).path("active_requests").asLong() == 0);

        var late = router.call("/reservations/" + id(answer) + "/prefill_complete", "");
        assertThat(late.path("state").asText()).isEqualTo("ended");
        assertThat(router.management("GET", "/metrics", "").body())
                .containsPattern("kvrouter_reservations_expired_total [1-9]");
    }

    @Test
    void aCallerThatLeavesBeforeItsAnswerHoldsNothing() throws Exception {
        for (int i = 0; i < 20; i++) {
            String body = "{\"model\":\"m\",\"token_ids\":" + TOKENS + "}";
            try (var socket = new Socket("127.0.0.1", router.apiPort())) {
                socket.setSoLinger(true, 0);
                String head = "POST /select_and_reserve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                        + "Content-Length: " + body.length() + "\r\n\r\n";
                socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
            }
        }

        eventually("no load", () -> router.requests() == 0);
    }

    /** Whatever is called, in whatever order and however often: no load is left when all have ended or leases have. */
    @RepeatedTest(3)
    void nothingLeaks(RepetitionInfo run) throws Exception {
        var random = new Random(run.getCurrentRepetition());
        var ids = new ArrayList<>(List.of("00000000000000ac-x", "00000000000000ac-y"));
        for (int i = 0; i < 150; i++) {
            String id = ids.get(random.nextInt(ids.size()));
            switch (random.nextInt(7)) {
                case 0 -> {
                    var made = router.call(
                            "/select_and_reserve",
                            "{\"model\":\"m\",\"token_ids\":[1,2,3],\"reservation_id\":\"p" + run.getCurrentRepetition()
                                    + "-" + random.nextInt(20) + "\",\"session_id\":\"l" + random.nextInt(3) + "\"}");
                    if (made.has("reservation_id")) {
                        ids.add(id(made));
                    }
                }
                case 1 -> router.call("/reservations", mirrorBody(id));
                case 2 -> router.call("/reservations/" + id + "/prefill_complete", "");
                case 3 -> router.call("/reservations/" + id + "/output_block", "");
                default -> router.api("DELETE", "/reservations/" + id + "?served=" + random.nextBoolean(), "");
            }
        }
        // Of those that have not ended, the leases end.
        eventually("no load", () -> router.requests() == 0);
        for (JsonNode load : router.fetched("/loads").path(0).path("loads")) {
            assertThat(load.path("active_prefill_tokens").asLong()).isZero();
            assertThat(load.path("active_decode_blocks").asLong()).isZero();
        }
    }

    @Test
    void loadsAreByModelAndGroup() throws Exception {
        var loads = router.fetched("/loads?model=m&routing_group=default");

        assertThat(loads).hasSize(1);
        assertThat(loads.path(0).path("loads")).hasSize(2);
        assertThat(router.fetched("/loads?model=other")).isEmpty();
    }

    private JsonNode mirror(String id, int status) throws Exception {
        var answer = router.api("POST", "/reservations", mirrorBody(id), "Content-Type", "application/json");
        assertThat(answer.statusCode()).isEqualTo(status);
        return TestRouter.json(answer);
    }

    private static String mirrorBody(String id) {
        return "{\"model\":\"m\",\"worker_id\":\"" + a + "\",\"reservation_id\":\"" + id + "\",\"token_ids\":" + TOKENS
                + "}";
    }

    private static JsonNode pure(String session) {
        return router.call(
                "/select", "{\"model\":\"m\",\"session_id\":\"" + session + "\",\"token_ids\":" + TOKENS + "}");
    }

    private JsonNode reserve(String fields) throws Exception {
        return remember(router.call("/select_and_reserve", "{\"model\":\"m\"," + fields + "}"));
    }

    private JsonNode remember(JsonNode answer) {
        reserved.add(id(answer));
        return answer;
    }

    private static String id(JsonNode answer) {
        return answer.path("reservation_id").asText();
    }

    /** The load of the worker that the answer names. */
    private static JsonNode load(JsonNode answer) {
        for (JsonNode load : router.fetched("/loads").path(0).path("loads")) {
            if (load.path("worker_id").equals(answer.path("worker_id"))) {
                return load;
            }
        }
        throw new AssertionError("no load of the worker");
    }

    /** The same, as soon as its one request is in the view. */
    private static JsonNode loaded(JsonNode answer) throws Exception {
        eventually("one request", () -> load(answer).path("active_requests").asLong() == 1);
        return load(answer);
    }

    private static String tokens(int count) {
        var text = new StringBuilder("[0");
        for (int i = 1; i < count; i++) {
            text.append(',').append(i);
        }
        return text.append(']').toString();
    }
}
