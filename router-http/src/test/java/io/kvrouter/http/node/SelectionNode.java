package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** One node and two workers, for callers that forward themselves; free when a test is over. */
abstract class SelectionNode {
    static final String TOKENS = tokens(64);
    static TestRouter router;
    static TestEngine first;
    static TestEngine second;
    static String a;
    static String b;
    private final List<String> reserved = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of("kvrouter.selection-api.lease", "5s"));
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

    static JsonNode pure(String session) {
        return router.call(
                "/select", "{\"model\":\"m\",\"session_id\":\"" + session + "\",\"token_ids\":" + TOKENS + "}");
    }

    JsonNode reserve(String fields) throws Exception {
        return remember(router.call("/select_and_reserve", "{\"model\":\"m\"," + fields + "}"));
    }

    JsonNode remember(JsonNode answer) {
        reserved.add(id(answer));
        return answer;
    }

    static String id(JsonNode answer) {
        return answer.path("reservation_id").asText();
    }

    /** The load of the worker that the answer names. */
    static JsonNode load(JsonNode answer) {
        for (JsonNode load : router.fetched("/loads").path(0).path("loads")) {
            if (load.path("worker_id").equals(answer.path("worker_id"))) {
                return load;
            }
        }
        throw new AssertionError("no load of the worker");
    }

    /** The same, as soon as its one request is in the view. */
    static JsonNode loaded(JsonNode answer) throws Exception {
        eventually("one request", () -> load(answer).path("active_requests").asLong() == 1);
        return load(answer);
    }

    static String tokens(int count) {
        var text = new StringBuilder("[0");
        for (int i = 1; i < count; i++) {
            text.append(',').append(i);
        }
        return text.append(']').toString();
    }
}
