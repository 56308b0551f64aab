package io.kvrouter.http.node;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Prompts of three megabytes. */
class LongPromptTest {
    private static final int PROMPTS = 4;
    private static final int CHARACTERS = 3_000_000;

    @Test
    void areRoutedByWhatIsCachedAndPassByteForByte() throws Exception {
        try (var router = TestRouter.start(Map.of());
                var one = new TestEngine("m");
                var other = new TestEngine("m")) {
            router.register(one.url(), "");
            router.register(other.url(), "");
            for (int seed = 0; seed < PROMPTS; seed++) {
                String prompt = prompt(seed);
                var first = router.complete(body(prompt));
                eventually("it is over", () -> router.requests() == 0);

                var second = router.complete(body(prompt + " and more"));

                assertThat(second.headers().allValues("x-router-worker"))
                        .isEqualTo(first.headers().allValues("x-router-worker"));
                assertThat(second.headers()
                                .firstValueAsLong("x-router-overlap-tokens")
                                .orElse(0))
                        .isGreaterThan(CHARACTERS / 5);
                assertThat(List.of(one, other))
                        .anyMatch(engine -> !engine.requests().isEmpty()
                                && engine.request().text().equals(body(prompt + " and more")));
                eventually("it is over too", () -> router.requests() == 0);
            }
        }
    }

    private static String body(String prompt) {
        return "{\"prompt\":\"" + prompt + "\" , \"model\":\"m\"}";
    }

    private static String prompt(int seed) {
        return new Random(seed)
                .ints(CHARACTERS / 10, 100_000_000, 1_000_000_000)
                .mapToObj(number -> number + " ")
                .collect(Collectors.joining());
    }
}
