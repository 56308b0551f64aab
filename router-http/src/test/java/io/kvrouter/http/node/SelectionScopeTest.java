package io.kvrouter.http.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.access.KeyHash;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Callers of the selection API whose keys are for some models and a group, when they name sessions by key. */
class SelectionScopeTest {
    private static final String KEYS =
            """
            callers {
              all { keys = ["%s"], trust = [selection] }
              of-g { keys = ["%s"], models = [n], group = g, trust = [selection] }
            }
            """.formatted(KeyHash.of("all").text(), KeyHash.of("of-g").text());

    private static TestRouter router;

    @BeforeAll
    static void start() throws Exception {
        router = TestRouter.start(Map.of("kvrouter.access.keys", KEYS));
    }

    @AfterAll
    static void stop() {
        router.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "of-g | \"model\":\"m\",                               | 403 model_not_allowed",
                "of-g | \"model_name\":\"m\",                          | 403 model_not_allowed",
                "of-g | ''                                             | 403 model_not_allowed",
                "of-g | \"model\":\"n\",\"routing_group\":\"default\", | 403 group_not_allowed",
                "of-g | \"model\":\"n\",                               | 200",
                "of-g | \"model\":\"n\",\"routing_group\":\"g\",       | 200",
                "all  | ''                                             | 200",
                "all  | \"model\":\"m\",                               | 200",
                "all  | \"routing_group\":\"g\",                       | 403 group_not_allowed",
            })
    void aSessionsKeyIsNoWayRoundModelsAndGroup(String key, String fields, String outcome) throws Exception {
        String body = "{" + fields + "\"session\":\"0510fd74584ff962246ff84fc1c6fcd9\",\"worker_id\":\"w\","
                + "\"version\":4096}";

        var answer = router.api(
                "POST",
                "/session_bindings",
                body,
                "Content-Type",
                "application/json",
                "Authorization",
                "Bearer " + key);

        assertThat((answer.statusCode() + " "
                                + answer.headers().firstValue("x-router-reason").orElse(""))
                        .strip())
                .isEqualTo(outcome);
    }
}
