package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.access.KeyHash;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The management port of a node whose operators have keys. */
class OperatorKeysTest {
    private static final String WORKER = "{\"url\":\"http://127.0.0.1:1\",\"id\":\"w\"}";
    private static TestRouter router;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of(
                "kvrouter.access.keys", """
                callers.api.keys = ["%s"]
                operators {
                  reader.keys = ["%s"]
                  changer { keys = ["%s"], rights = [change] }
                  both { keys = ["%s"], rights = [read, change] }
                }""".formatted(hash("api"), hash("reader"), hash("changer"), hash("both"))));
    }

    private static String hash(String key) {
        return KeyHash.of(key).text();
    }

    @AfterAll
    static void stop() {
        router.close();
    }

    private static int status(String key, String method, String path, String body) throws Exception {
        return router.management(method, path, body, "Authorization", "Bearer " + key)
                .statusCode();
    }

    @ParameterizedTest
    @CsvSource({
        "both, GET, /workers, 200",
        "reader, GET, /workers, 200",
        "reader, GET, /metrics, 200",
        "reader, GET, /cluster/members, 200",
        "reader, DELETE, /workers/none, 403",
        "reader, DELETE, /router/sessions?worker=w, 403",
        "changer, GET, /workers, 403",
        "changer, GET, /metrics, 403",
        "changer, DELETE, /workers/none, 404",
        "both, DELETE, /workers/none, 404",
        "api, GET, /workers, 401",
        "api, DELETE, /workers/none, 401",
        "wrong, GET, /nothing, 401",
        "'', GET, /workers, 401",
    })
    void readingAndChangingAreTwoRights(String key, String method, String path, int status) throws Exception {
        assertThat(status(key, method, path, "")).isEqualTo(status);
    }

    @Test
    void whoMayOnlyReadChangesNothing() throws Exception {
        assertThat(status("reader", "POST", "/workers", WORKER)).isEqualTo(403);
        assertThat(status("both", "GET", "/workers/w", "")).isEqualTo(404);

        assertThat(status("changer", "POST", "/workers", WORKER)).isEqualTo(201);
        assertThat(status("both", "GET", "/workers/w", "")).isEqualTo(200);
    }

    @Test
    void aDryRunIsReading() throws Exception {
        String body = "{\"model\":\"m\",\"prompt\":\"a\"}";

        assertThat(status("reader", "POST", "/router/explain?caller=api", body)).isNotIn(401, 403);
        assertThat(status("changer", "POST", "/router/explain", body)).isEqualTo(403);
    }

    @Test
    void probesNeedNoKey() throws Exception {
        eventually("ready", () -> unchecked("/ready") == 200);
        assertThat(unchecked("/alive")).isEqualTo(200);
    }

    private static int unchecked(String path) {
        try {
            return router.management("GET", path, "").statusCode();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anOperatorsKeyIsNoCallers() throws Exception {
        assertThat(router.api("GET", "/v1/models", "", "Authorization", "Bearer both")
                        .statusCode())
                .isEqualTo(401);
        assertThat(router.api("GET", "/v1/models", "", "Authorization", "Bearer api")
                        .statusCode())
                .isEqualTo(200);
    }
}
