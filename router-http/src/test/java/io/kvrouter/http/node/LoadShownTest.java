package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a node shows of the load. */
class LoadShownTest {
    private static TestRouter router;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of());
    }

    @AfterAll
    static void stop() {
        router.close();
    }

    private static String metrics() {
        try {
            return router.management("GET", "/metrics", "").body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theLoadIsShownByWorkerAndRankAndHowItIsReplicated() throws Exception {
        router.management("POST", "/workers", "{\"url\":\"http://h:1\",\"id\":\"w-load\",\"ranks\":2}");

        eventually(
                "both ranks are idle",
                () -> router.managed("/router/load").at("/own/w-load/1").has("footprint_tokens"));
        JsonNode load = router.managed("/router/load");

        assertThat(load.at("/total/w-load/0").toString())
                .isEqualTo("{\"requests\":0,\"prefill_tokens\":0,\"decode_blocks\":0,\"footprint_tokens\":0}");
        assertThat(load.path("nodes")).isEmpty();
        assertThat(load.at("/updates/made").asLong()).isPositive();
        assertThat(load.at("/updates/write_timeouts").asLong()).isZero();
    }

    @Test
    void theLoadSeriesOfARemovedWorkerAreGone() throws Exception {
        router.management("POST", "/workers", "{\"url\":\"http://h:1\",\"id\":\"w-gone\"}");
        eventually("its series are there", () -> metrics().contains("worker=\"w-gone\""));

        router.management("DELETE", "/workers/w-gone", "");

        eventually("its series are gone", () -> !metrics().contains("w-gone"));
    }
}
