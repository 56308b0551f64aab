package io.kvrouter.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockHashesTest {
    private static final int[] TOKENS = IntStream.range(0, 40).toArray();
    private static final long PLAIN = BlockHashes.seed("", "");

    @Test
    void onlyFullBlocksHaveAHash() {
        assertThat(BlockHashes.chain(Arrays.copyOf(TOKENS, 15), 4, PLAIN)).hasSize(3);
    }

    @Test
    void aLongerPromptBeginsWithTheSameHashes() {
        long[] shorter = BlockHashes.chain(Arrays.copyOf(TOKENS, 16), 4, PLAIN);

        assertThat(BlockHashes.chain(TOKENS, 4, PLAIN)).startsWith(shorter);
    }

    @Test
    void aChangedTokenChangesItsBlockAndAllAfterIt() {
        int[] changed = TOKENS.clone();
        changed[9]++;

        long[] before = BlockHashes.chain(TOKENS, 4, PLAIN);
        long[] after = BlockHashes.chain(changed, 4, PLAIN);

        assertThat(Arrays.copyOf(after, 2)).isEqualTo(Arrays.copyOf(before, 2));
        assertThat(IntStream.range(2, 10).noneMatch(i -> before[i] == after[i])).isTrue();
    }

    @Test
    void adapterAndSaltKeepPromptsApart() {
        assertThat(new long[] {PLAIN, BlockHashes.seed("a", ""), BlockHashes.seed("", "a"), BlockHashes.seed("a", "a")})
                .doesNotHaveDuplicates();
    }
}
