package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two callers at two nodes. */
class SelectionClusterTest {
    private static TestCluster cluster;
    private static TestRouter here;
    private static TestRouter there;
    private static TestEngine engine;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(2, Map.of());
        here = cluster.node(0);
        there = cluster.node(1);
        engine = new TestEngine("m");
        here.register(engine.url(), "");
        cluster.awaitWorkers();
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
        engine.close();
    }

    @Test
    void whatIsReservedAtOneNodeCanBeEndedAtTheOther() throws Exception {
        String id = reserve(here, "");
        eventually("seen there", () -> requests(there) == 1);

        assertThat(there.call("/reservations/" + id + "/prefill_complete", "")
                        .path("state")
                        .asText())
                .isEqualTo("prefill_complete");
        assertThat(there.call("/reservations/" + id + "/output_block", "{\"output_blocks\":2}")
                        .path("state")
                        .asText())
                .isEqualTo("prefill_complete");
        assertThat(TestRouter.json(there.api("DELETE", "/reservations/" + id, ""))
                        .path("state")
                        .asText())
                .isEqualTo("ended");

        eventually("free here", () -> requests(here) == 0);
        eventually("free there", () -> requests(there) == 0);
    }

    @Test
    void whatTheOtherHoldsIsNotMirrored() throws Exception {
        String id = reserve(here, "");

        var mirrored = mirror(there, id);

        assertThat(mirrored.path("mirrored").asBoolean(true)).isFalse();
        assertThat(there.requests()).isZero();
        here.api("DELETE", "/reservations/" + id, "");
        assertThat(mirror(there, id).path("state").asText()).isEqualTo("ended");
    }

    @Test
    void whatIsUnknownToItsNodeIsUnknownFromTheOther() throws Exception {
        String id = reserve(here, "");
        here.api("DELETE", "/reservations/" + id, "");
        String unknown = id.substring(0, 17) + "early";

        assertThat(there.api("DELETE", "/reservations/" + unknown, "").statusCode())
                .isEqualTo(404);

        var late = here.call("/select_and_reserve", "{\"model\":\"m\",\"token_ids\":[1],\"reservation_id\":\"early\"}");
        assertThat(late.path("state").asText()).isEqualTo("ended");
    }

    @Test
    void aMirrorOfWhatANodeHeldThatIsGoneIsFoundFromEveryNode() throws Exception {
        String id = "00000000000000aa-r";
        assertThat(mirror(here, id).path("state").asText()).isEqualTo("booked");

        assertThat(mirror(there, id).path("error").path("code").asText()).isEqualTo("reservation_exists");
        assertThat(there.call("/reservations/" + id + "/prefill_complete", "")
                        .path("state")
                        .asText())
                .isEqualTo("prefill_complete");
        assertThat(TestRouter.json(there.api("DELETE", "/reservations/" + id, ""))
                        .path("state")
                        .asText())
                .isEqualTo("ended");
        assertThat(mirror(there, id).path("state").asText()).isEqualTo("ended");
        eventually("free", () -> requests(here) == 0);
    }

    @Test
    void aSessionIsFollowedThroughEitherNode() throws Exception {
        String first = reserve(here, ",\"session_id\":\"s\"");
        String second = reserve(there, ",\"session_id\":\"s\"");
        there.api("DELETE", "/reservations/" + first, "");
        here.api("DELETE", "/reservations/" + second, "");

        for (TestRouter node : List.of(here, there)) {
            eventually(
                    "pinned",
                    () -> node.call("/select", "{\"model\":\"m\",\"token_ids\":[1],\"session_id\":\"s\"}")
                            .path("decision")
                            .asText()
                            .equals("pinned"));
        }
    }

    @Test
    void whenANodeIsGoneItsReservationsAre() throws Exception {
        try (var third = cluster.join(Map.of())) {
            eventually("known there", () -> third.managed("/workers").toString().contains("\"up\""));
            String id = reserve(third, "");
            eventually("seen", () -> requests(here) == 1);

            third.leave();

            eventually("free", () -> requests(here) == 0);
            eventually(
                    "gone",
                    () -> there.call("/reservations/" + id + "/prefill_complete", "")
                            .path("error")
                            .path("code")
                            .asText()
                            .equals("owner_gone"));
            assertThat(mirror(there, id).path("state").asText()).isEqualTo("booked");
            assertThat(TestRouter.json(here.api("DELETE", "/reservations/" + id, ""))
                            .path("state")
                            .asText())
                    .isEqualTo("ended");
        }
    }

    private static String reserve(TestRouter at, String more) {
        var answer = at.call("/select_and_reserve", "{\"model\":\"m\",\"token_ids\":[1,2,3]" + more + "}");
        return answer.path("reservation_id").asText();
    }

    private static JsonNode mirror(TestRouter at, String id) {
        String worker = at.fetched("/loads")
                .path(0)
                .path("loads")
                .path(0)
                .path("worker_id")
                .asText();
        return at.call(
                "/reservations",
                "{\"model\":\"m\",\"token_ids\":[1],\"worker_id\":\"" + worker + "\",\"reservation_id\":\"" + id
                        + "\"}");
    }

    /** Of all nodes, as this one knows them. */
    private static long requests(TestRouter at) {
        return at.fetched("/loads")
                .path(0)
                .path("loads")
                .path(0)
                .path("active_requests")
                .asLong();
    }
}
