package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Whose reservation is whose: ids, mirrors, leases, and callers that say things twice or late. */
class SelectionIdsTest extends SelectionNode {
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

        eventually("booked", () -> load(answer).path("active_requests").asLong() > 0);
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
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), router.apiPort())) {
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

    private JsonNode mirror(String id, int status) throws Exception {
        var answer = router.api("POST", "/reservations", mirrorBody(id), "Content-Type", "application/json");
        assertThat(answer.statusCode()).isEqualTo(status);
        return TestRouter.json(answer);
    }

    private static String mirrorBody(String id) {
        return "{\"model\":\"m\",\"worker_id\":\"" + a + "\",\"reservation_id\":\"" + id + "\",\"token_ids\":" + TOKENS
                + "}";
    }
}
