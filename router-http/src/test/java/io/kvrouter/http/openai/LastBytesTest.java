package io.kvrouter.http.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;

class LastBytesTest {
    private static Usage usage(String... pieces) {
        var last = new LastBytes();
        for (String piece : pieces) {
            last.add(ByteString.fromString(piece));
        }
        return last.usage();
    }

    private static Usage of(long prompt, long cached, long output) {
        return new Usage(OptionalLong.of(prompt), OptionalLong.of(cached), OptionalLong.of(output));
    }

    @Test
    void readsWhatOpenAiSays() {
        assertThat(usage("{\"usage\":{\"prompt_tokens\":12,\"completion_tokens\": 5,\"total_tokens\":17,"
                        + "\"prompt_tokens_details\":{\"cached_tokens\":8}}}"))
                .isEqualTo(of(12, 8, 5));
    }

    @Test
    void readsWhatResponsesAndAnthropicSayHoweverItIsCut() {
        assertThat(usage(
                        "data: {\"usage\":{\"input_to",
                        "kens\":12,\"input_tokens_details\":{\"cached_tokens\":0},\"output_tokens\":5}}\n\n",
                        "data: [DONE]\n\n"))
                .isEqualTo(of(12, 0, 5));
    }

    @Test
    void believesTheLastWord() {
        assertThat(usage(
                        "say \"completion_tokens\":1, \"prompt_tokens\":1 ",
                        "{\"prompt_tokens\":3,\"completion_tokens\":4}"))
                .isEqualTo(new Usage(OptionalLong.of(3), OptionalLong.empty(), OptionalLong.of(4)));
    }

    @Test
    void knowsNothingOfOtherAnswers() {
        assertThat(usage()).isEqualTo(Usage.UNTOLD);
        assertThat(usage("{\"data\":[]}")).isEqualTo(Usage.UNTOLD);
    }
}
