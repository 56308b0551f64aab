package io.kvrouter.http.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the selection API refuses, with the field's name. */
class SelectionRefusalTest {
    private static final String PATHS = "/select,/select_and_reserve";
    private static TestRouter router;
    private static TestEngine engine;
    private static String worker;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of());
        engine = new TestEngine("m");
        worker = router.register(engine.url(), "");
    }

    @AfterAll
    static void stop() throws Exception {
        router.close();
        engine.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "model          | {\"token_ids\":[1]}",
                "model          | {\"model\":5,\"token_ids\":[1]}",
                "token_ids      | {\"model\":\"m\"}",
                "token_ids      | {\"model\":\"m\",\"token_ids\":[1],\"text\":\"a\"}",
                "token_ids      | {\"model\":\"m\",\"token_ids\":\"1\"}",
                "token_ids      | {\"model\":\"m\",\"token_ids\":[1.5]}",
                "token_ids      | {\"model\":\"m\",\"token_ids\":[-1]}",
                "token_ids      | {\"model\":\"m\",\"token_ids\":[3000000000]}",
                "token_ids      | {\"model\":\"m\",\"token_ids\":[[1]]}",
                "block_hashes   | {\"model\":\"m\",\"block_hashes\":{}}",
                "block_hashes   | {\"model\":\"m\",\"block_hashes\":[\"1\"]}",
                "block_hashes   | {\"model\":\"m\",\"block_hashes\":[18446744073709551616]}",
                "block_hashes   | {\"model\":\"m\",\"block_hashes\":[-9223372036854775809]}",
                "block_size     | {\"model\":\"m\",\"block_hashes\":[1],\"block_size\":0}",
                "isl_tokens     | {\"model\":\"m\",\"block_hashes\":[1],\"isl_tokens\":32}",
                "isl_tokens     | {\"model\":\"m\",\"block_hashes\":[1],\"isl_tokens\":15}",
                "text           | {\"model\":\"m\",\"text\":[]}",
                "routing_group  | {\"model\":\"m\",\"token_ids\":[1],\"routing_group\":\"\"}",
                "cache_salt     | {\"model\":\"m\",\"token_ids\":[1],\"cache_salt\":1}",
                "session_id     | {\"model\":\"m\",\"token_ids\":[1],\"session_id\":\"a\\u0007\"}",
                "session_final  | {\"model\":\"m\",\"token_ids\":[1],\"session_final\":\"yes\"}",
                "allowed_worker_ids | {\"model\":\"m\",\"token_ids\":[1],\"allowed_worker_ids\":[]}",
                "allowed_worker_ids | {\"model\":\"m\",\"token_ids\":[1],\"allowed_worker_ids\":\"w\"}",
                "allowed_worker_ids | {\"model\":\"m\",\"token_ids\":[1],\"allowed_worker_ids\":[\"a b\"]}",
            })
    void aFieldThatCantBeUsed(String field, String body) throws Exception {
        for (String path : PATHS.split(",", -1)) {
            assertError(post(path, body), 400, "bad_request", field);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/select_and_reserve | expected_output_tokens | {\"model\":\"m\",\"token_ids\":[1],\"expected_output_tokens\":-1}",
                "/select_and_reserve | reservation_id | {\"model\":\"m\",\"token_ids\":[1],\"reservation_id\":\"a/b\"}",
                "/select_and_reserve | reservation_id | {\"model\":\"m\",\"token_ids\":[1],\"reservation_id\":\"00000000000000aa-x\"}",
                "/reservations | worker_id | {\"model\":\"m\",\"token_ids\":[1]}",
                "/reservations | worker_id | {\"model\":\"m\",\"token_ids\":[1],\"worker_id\":\"a b\"}",
                "/reservations | dp_rank | {\"model\":\"m\",\"token_ids\":[1],\"worker_id\":\"w\",\"dp_rank\":-1}",
                "/session_bindings | session | {\"worker_id\":\"w\",\"version\":1}",
                "/session_bindings | session | {\"session\":\"xyz\",\"worker_id\":\"w\",\"version\":1}",
                "/session_bindings | version | {\"session\":\"00000000000000000000000000000001\",\"worker_id\":\"w\"}",
                "/session_bindings | version | {\"session\":\"00000000000000000000000000000001\",\"worker_id\":\"w\",\"version\":0}",
                "/session_bindings | version | {\"session\":\"00000000000000000000000000000001\",\"worker_id\":\"w\",\"version\":9223372036854775807}",
                "/session_bindings | worker_id | {\"session\":\"00000000000000000000000000000001\",\"version\":1}",
                "/session_bindings | state | {\"session\":\"00000000000000000000000000000001\",\"version\":1,\"state\":\"gone\"}",
                "/reservations/00000000000000aa-x/output_block | output_blocks | {\"output_blocks\":1.5}",
                "/reservations/nonsense/prefill_complete | reservation_id | {}",
            })
    void aFieldOfOneCallThatCantBeUsed(String path, String field, String body) throws Exception {
        assertError(post(path, body), 400, "bad_request", field);
    }

    @ParameterizedTest
    @CsvSource({"served=maybe,served", "context_tokens=x,context_tokens", "context_tokens=-1,context_tokens"})
    void aQueryThatCantBeUsed(String query, String field) throws Exception {
        assertError(router.api("DELETE", "/reservations/00000000000000aa-x?" + query, ""), 400, "bad_request", field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "[]", "{} {}", "{\"model\":\"m\",\"token_ids\":[1", "\"{}\""})
    void aBodyThatIsNoObject(String body) throws Exception {
        var answer = post("/select", body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("x-request-id")).isPresent();
    }

    @Test
    void tooManyHashes() throws Exception {
        String body = "{\"model\":\"m\",\"block_hashes\":[" + "1,".repeat(1 << 18) + "1]}";

        assertError(post("/select", body), 400, "bad_request", "block_hashes");
    }

    @Test
    void fieldsThatNobodyKnowsAndNullsAreIgnored() throws Exception {
        var answer = post(
                "/select",
                "{\"model_name\":\"m\",\"token_ids\":[1],\"priority_jump\":{\"a\":[1]},\"session_id\":null,\"text\":null}");

        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void aBodyThatIsNotJson() throws Exception {
        var answer = router.api("POST", "/select", "model=m", "Content-Type", "application/x-www-form-urlencoded");

        assertThat(answer.statusCode()).isEqualTo(415);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /select, POST",
        "GET, /select_and_reserve, POST",
        "DELETE, /reservations, POST",
        "POST, /loads, GET",
        "POST, /session_bindings/updates, GET",
        "GET, /reservations/00000000000000aa-x, DELETE",
        "DELETE, /reservations/00000000000000aa-x/prefill_complete, POST",
    })
    void anotherMethod(String method, String path, String allowed) throws Exception {
        var answer = router.api(method, path, "");

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("allow")).contains(allowed);
    }

    @ParameterizedTest
    @CsvSource({"POST, /prefill_complete", "POST, /output_block", "DELETE, ''"})
    void aReservationOfANodeThatIsGone(String method, String verb) throws Exception {
        assertThat(reason(router.api(method, "/reservations/00000000000000ba-x" + verb, "")))
                .isEqualTo("404 owner_gone");
    }

    @ParameterizedTest
    @CsvSource({"POST, /prefill_complete", "POST, /output_block", "DELETE, ''"})
    void aReservationThatNobodyKnows(String method, String verb) throws Exception {
        var known = router.call("/select_and_reserve", "{\"model\":\"m\",\"token_ids\":[1]}")
                .path("reservation_id")
                .asText();
        router.api("DELETE", "/reservations/" + known, "");

        assertThat(reason(router.api(method, "/reservations/" + known.substring(0, 17) + "unknown" + verb, "")))
                .isEqualTo("404 unknown_reservation");
    }

    @Test
    void whatNoWorkerCanTakeIsRefusedAsACompletionIs() throws Exception {
        for (String path : PATHS.split(",", -1)) {
            assertThat(reason(post(path, "{\"model\":\"other\",\"token_ids\":[1]}")))
                    .isEqualTo("503 model_not_served");
            assertThat(reason(post(path, "{\"model\":\"m\",\"token_ids\":[1],\"allowed_worker_ids\":[\"none\"]}")))
                    .isEqualTo("503 no_eligible_worker");
        }
    }

    @ParameterizedTest
    @CsvSource({"none, 0", "'', 1"})
    void aNamedWorkerOrRankThatIsNotThere(String id, int rank) throws Exception {
        String named = id.isEmpty() ? worker : id;

        var answer = post(
                "/reservations",
                "{\"model\":\"m\",\"token_ids\":[1],\"worker_id\":\"" + named + "\",\"dp_rank\":" + rank + "}");

        assertError(answer, 400, "worker_not_eligible", "worker_id");
    }

    @Test
    void anIdWhoseReservationFoundNoPlaceMayBeUsedAgain() throws Exception {
        post("/select_and_reserve", "{\"model\":\"other\",\"token_ids\":[1],\"reservation_id\":\"again\"}");

        var answer =
                router.call("/select_and_reserve", "{\"model\":\"m\",\"token_ids\":[1],\"reservation_id\":\"again\"}");

        assertThat(answer.path("state").asText()).isEqualTo("booked");
        router.api("DELETE", "/reservations/" + answer.path("reservation_id").asText(), "");
    }

    @Test
    void aSessionsIdIsInNoError() throws Exception {
        String id = "secret".repeat(50);

        assertThat(post("/select", "{\"model\":\"m\",\"token_ids\":[1],\"session_id\":\"" + id + "\"}")
                        .body())
                .doesNotContain("secret");
    }

    private static HttpResponse<String> post(String path, String body) throws Exception {
        return router.api("POST", path, body, "Content-Type", "application/json");
    }

    private static String reason(HttpResponse<String> answer) {
        return answer.statusCode() + " "
                + answer.headers().firstValue("x-router-reason").orElse("");
    }

    private static void assertError(HttpResponse<String> answer, int status, String reason, String field)
            throws Exception {
        assertThat(reason(answer)).isEqualTo(status + " " + reason);
        JsonNode error = TestRouter.json(answer).path("error");
        assertThat(error.path("param").asText()).isEqualTo(field);
        assertThat(error.path("code").asText()).isEqualTo(reason);
    }
}
