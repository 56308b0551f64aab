package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Selecting, and selecting and reserving, with and without a session. */
class SelectionApiTest extends SelectionNode {
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
        assertThat(answer.path("lease_ms").asLong()).isEqualTo(5_000);
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
    void loadsAreByModelAndGroup() throws Exception {
        var loads = router.fetched("/loads?model=m&routing_group=default");

        assertThat(loads).hasSize(1);
        assertThat(loads.path(0).path("loads")).hasSize(2);
        assertThat(router.fetched("/loads?model=other")).isEmpty();
    }
}
