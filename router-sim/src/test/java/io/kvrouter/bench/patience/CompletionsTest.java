package io.kvrouter.bench.patience;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CompletionsTest {
    private final Completions completions = Completions.of(3, 40);

    @Test
    void noTwoPromptsAreAlike() {
        assertThat(next(completions)).contains("\r\n\r\n{", "w1 w1 w1 ", "\"max_tokens\":40}");
        assertThat(next(completions)).contains("w2 w2 w2 ").doesNotContain("Authorization");
    }

    @Test
    void aKeyIsShownByItsHolderOnly() {
        assertThat(next(completions.by("k"))).contains("\r\nAuthorization: Bearer k\r\n");
    }

    @Test
    void lengthsOfAnswersComeEquallyOften() {
        var mixed = completions.answeredBy(30, 50);

        var times = LongStream.rangeClosed(1, 2_100)
                .mapToObj(mixed::answerTokens)
                .collect(Collectors.groupingBy(tokens -> tokens, Collectors.counting()));

        assertThat(times).hasSize(21).containsKeys(30, 50);
        assertThat(times.values()).allSatisfy(count -> assertThat(count).isBetween(97L, 103L));
    }

    private static String next(Completions of) {
        return new String(of.next(), StandardCharsets.US_ASCII);
    }
}
