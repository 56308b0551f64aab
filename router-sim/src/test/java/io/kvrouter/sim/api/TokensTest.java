package io.kvrouter.sim.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.sim.tokens.TokenIds;
import io.kvrouter.sim.tokens.WorkerTokens;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokensTest {
    private static final String FIRST = "{\"role\":\"user\",\"content\":\"Grüße an alle, und zwar 1234\"}";
    private static final String PARTS =
            "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Grüße an alle, \"},"
                    + "{\"type\":\"text\",\"text\":\"und zwar 1234\"}]}";

    @Test
    void fourBytesMakeAToken() {
        assertThat(TokenIds.ofText("").count()).isZero();
        assertThat(TokenIds.ofText("abcd").count()).isEqualTo(1);
        assertThat(TokenIds.ofText("äöü").count()).isEqualTo(2);
    }

    @Test
    void idsAreStableAndNeverNegative() {
        assertThat(TokenIds.ofText("abcdabcdabc").toArray()).containsExactly(ABCD, ABCD, ABC);
    }

    @Test
    void aLaterTurnBeginsWithTheTokensOfTheEarlierOne() {
        int[] earlier = chat(FIRST);
        int[] later = chat(FIRST + ",{\"role\":\"assistant\",\"content\":\"yes\"}," + FIRST);

        int whole = "<|user|>\nGrüße an alle, und zwar 1234\n".getBytes(StandardCharsets.UTF_8).length / 4;
        assertThat(later).startsWith(Arrays.copyOf(earlier, whole));
    }

    @Test
    void anAnswerSentBackHasTheTokensThatItWasMadeOf() {
        int[] earlier = chat(FIRST);
        int[] answer = WorkerTokens.SIMULATED.answer(7).tokens().toArray();
        String content = WorkerTokens.SIMULATED.answer(7).text();
        int[] later = chat(FIRST + ",{\"role\":\"assistant\",\"content\":\"" + content + "\"}," + FIRST);

        assertThat(later).startsWith(earlier);
        assertThat(Arrays.copyOfRange(later, earlier.length, earlier.length + 7))
                .isEqualTo(answer);
    }

    @Test
    void aChatOpensTheAnswerUnlessToldOtherwise() {
        int[] opened = chat(FIRST);
        int[] closed = tokenize("{\"add_generation_prompt\":false,\"messages\":[" + FIRST + "]}");

        assertThat(opened).startsWith(closed);
        assertThat(Arrays.copyOfRange(opened, closed.length, opened.length))
                .isEqualTo(TokenIds.ofText("<|assistant|>\n").toArray());
    }

    @ParameterizedTest
    @CsvSource({
        "<|user|>abcd, 3",
        "ab<|user|>cd, 4",
        "ab<|user>cd, 3",
        "ab<|USER|>c, 3",
        "abc<|user|, 3",
        "abc<|, 2",
        "<<|a|>, 3",
        "abc<, 1"
    })
    void cuttingStartsAfreshAtARolesMark(String text, int tokens) {
        assertThat(TokenIds.ofText(text).count()).isEqualTo(tokens);
    }

    @Test
    void textInPartsHasTheTokensOfTheJoinedText() {
        assertThat(chat(PARTS)).isEqualTo(chat(FIRST));
    }

    @Test
    void toolsComeBeforeTheMessages() {
        int[] with = tokenize("{\"tools\":[{\"name\":\"tt\"}],\"messages\":[" + FIRST + "]}");

        assertThat(with).startsWith(TokenIds.ofText("[{\"name\":\"tt\"}]\n").toArray());
    }

    @Test
    void toolCallsAndImagesChangeTheTokens() {
        String call = "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"%s\"}]}";
        String image = "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"%s\"}}]}";

        assertThat(chat(call.formatted("a"))).isNotEqualTo(chat(call.formatted("b")));
        assertThat(chat(image.formatted("a"))).isNotEqualTo(chat(image.formatted("b")));
    }

    private static final int ABCD = TokenIds.ofText("abcd").toArray()[0];
    private static final int ABC = TokenIds.ofText("abc").toArray()[0];

    private static int[] chat(String messages) {
        return tokenize("{\"messages\":[" + messages + "]}");
    }

    private static int[] tokenize(String body) {
        return new RequestReader(WorkerTokens.SIMULATED)
                .tokenize(body.getBytes(StandardCharsets.UTF_8))
                .toArray();
    }
}
