package io.kvrouter.kv;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PromptTest {
    private static final String TEXT = "x".repeat(63) + "y".repeat(67);

    @Test
    void fourBytesOfTextCountAsOneToken() {
        assertThat(Prompt.ofText(TEXT).tokens()).isEqualTo(32);
    }

    @Test
    void theShortestTextIsATokenAndNoneIsNone() {
        assertThat(Prompt.ofText("x").tokens()).isEqualTo(1);
        assertThat(Prompt.ofText("").tokens()).isZero();
    }

    @Test
    void onlyCompleteBlocksHaveHashes() {
        assertThat(Prompt.ofText(TEXT).chain(16).length()).isEqualTo(2);
        assertThat(Prompt.ofText(TEXT).chain(4).length()).isEqualTo(8);
    }

    @Test
    void whereTheTextWasCutIntoSlicesMakesNoDifference() {
        ByteBuffer whole = ByteBuffer.wrap(TEXT.getBytes(UTF_8));

        var sliced = Prompt.ofText(List.of(whole.slice(0, 50), whole.slice(50, 0), whole.slice(50, 80)), "", "");

        assertThat(sliced.chain(16).hashes())
                .isEqualTo(Prompt.ofText(TEXT).chain(16).hashes());
    }

    @Test
    void promptsWithACommonBeginningShareTheHashesOfItsBlocks() {
        long[] one = Prompt.ofText(TEXT + "a".repeat(64)).chain(16).hashes();
        long[] other = Prompt.ofText(TEXT + "b".repeat(64)).chain(16).hashes();

        assertThat(one[1]).isEqualTo(other[1]);
        assertThat(one[2]).isNotEqualTo(other[2]);
    }

    @Test
    void adapterAndSaltKeepEqualTextsApart() {
        List<ByteBuffer> text = List.of(ByteBuffer.wrap(TEXT.getBytes(UTF_8)));

        assertThat(List.of(
                        Prompt.ofText(text, "", "").chain(16).hashes()[0],
                        Prompt.ofText(text, "adapter", "").chain(16).hashes()[0],
                        Prompt.ofText(text, "", "salt").chain(16).hashes()[0]))
                .doesNotHaveDuplicates();
    }

    @Test
    void hashesAreMadeOnce() {
        var prompt = Prompt.ofText(TEXT);

        assertThat(prompt.chain(16)).isSameAs(prompt.chain(16));
    }

    @Test
    void itsLengthStaysWithoutWhatItSays() {
        var text = Prompt.ofText(TEXT).lengthOnly();
        var tokens = Prompt.ofTokens(new int[40], 30, "", "").lengthOnly();

        assertThat(text.tokens()).isEqualTo(32);
        assertThat(text.exact()).isFalse();
        assertThat(text.chain(16).length()).isZero();
        assertThat(tokens.tokens()).isEqualTo(40);
        assertThat(tokens.exact()).isTrue();
    }

    @Test
    void itsTextIsNotInItsDescription() {
        assertThat(Prompt.ofText("secret").toString()).doesNotContain("secret");
    }

    @Test
    void anExactPromptHasTheHashesOfItsTokens() {
        int[] tokens = IntStream.rangeClosed(1, 14).toArray();

        var prompt = Prompt.ofTokens(tokens, 14, "adapter-a", "tenant-1");

        assertThat(prompt.exact()).isTrue();
        assertThat(prompt.tokens()).isEqualTo(14);
        assertThat(prompt.chain(4).hashes())
                .isEqualTo(
                        BlockHashes.chain(BlockHashes.ofTokens(tokens, 4, BlockHashes.seed("adapter-a", "tenant-1"))));
    }

    @Test
    void behindWhatCanBeKeyedThereAreTokensButNoBlocks() {
        var prompt = Prompt.ofTokens(new int[100], 39, "", "");

        assertThat(prompt.tokens()).isEqualTo(100);
        assertThat(prompt.chain(16).length()).isEqualTo(2);
    }
}
