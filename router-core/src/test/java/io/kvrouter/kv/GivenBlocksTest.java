package io.kvrouter.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Prompts whose blocks their caller has hashed. */
class GivenBlocksTest {
    private static final int[] TOKENS = IntStream.range(0, 70).toArray();
    private static final Prompt OF_TOKENS = Prompt.ofTokens(TOKENS, TOKENS.length, "", "");
    private static final long[] HASHES = BlockHashes.ofTokens(TOKENS, 16, BlockHashes.seed("", ""));

    @Test
    void areThePromptOfTheirTokens() {
        var prompt = Prompt.ofBlocks(HASHES, 16, 70);

        assertThat(prompt.chain(16).hashes()).isEqualTo(OF_TOKENS.chain(16).hashes());
        assertThat(prompt.tokens()).isEqualTo(70);
        assertThat(prompt.exact()).isTrue();
    }

    @Test
    void areAsManyBlocksOfAnotherSizeAsThePromptHas() {
        var prompt = Prompt.ofBlocks(HASHES, 16, 70);

        assertThat(prompt.chain(32).length()).isEqualTo(2);
        assertThat(prompt.chain(8).length()).isEqualTo(8);
        assertThat(prompt.chain(8).hashes()).doesNotHaveDuplicates();
    }

    @Test
    void ofAnotherSizeAreEqualAsFarAsThePromptsAre() {
        long[] fork = Arrays.copyOf(HASHES, 4);
        fork[3] = 1;
        var forked = Prompt.ofBlocks(fork, 16, 64).chain(8).hashes();
        var prompt = Prompt.ofBlocks(HASHES, 16, 70).chain(8).hashes();

        assertThat(Arrays.mismatch(forked, prompt)).isEqualTo(6);
    }

    @Test
    void haveABeginningInCommonIfTheirsIsEqual() {
        assertThat(Prompt.ofBlocks(HASHES, 16, 70).prefixHash())
                .isEqualTo(Prompt.ofBlocks(HASHES, 16, 65).prefixHash())
                .isNotEqualTo(Prompt.ofBlocks(Arrays.copyOf(HASHES, 3), 16, 48).prefixHash());
    }

    @Test
    void mayBeNone() {
        var prompt = Prompt.ofBlocks(new long[0], 16, 5);

        assertThat(prompt.chain(16).length()).isZero();
        assertThat(prompt.chain(4).length()).isZero();
        assertThat(prompt.prefixHash()).isZero();
    }

    @Test
    void mustBeAsManyAsTheTokensFill() {
        assertThatThrownBy(() -> Prompt.ofBlocks(HASHES, 16, 80))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("80");
    }
}
