package io.kvrouter.http.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which methods the paths of the management port take. */
class ManagementMethodsTest {
    private static TestRouter router;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of());
    }

    @AfterAll
    static void stop() {
        router.close();
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /workers, 'GET, POST'",
        "PUT, /workers/w, 'DELETE, GET, PATCH'",
        "POST, /router/load, GET",
        "POST, /router/admission, GET",
        "DELETE, /router/shards, GET",
        "GET, /router/explain, POST",
        "POST, /router/sessions, 'DELETE, GET'",
        "PUT, /router/sessions/s, 'DELETE, GET'",
        "POST, /metrics, GET",
        "POST, /ready, GET",
        "POST, /alive, GET",
    })
    void anotherMethodIsAnsweredWithThoseThatThePathTakes(String method, String path, String allowed) throws Exception {
        var answer = router.management(method, path, "");

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().allValues("allow")).containsExactly(allowed);
        assertThat(TestRouter.json(answer).at("/error/message").asText()).isEqualTo("This path takes " + allowed + ".");
    }
}
