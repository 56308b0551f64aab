package io.kvrouter.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BlockHashesTest {
    private static final int[] TWELVE = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    private static final int[] FOUR = {1, 2, 3, 4};

    @Test
    void blocksHashAsInDynamo() {
        long[] hashes = BlockHashes.ofTokens(TWELVE, 4, BlockHashes.seed("", ""));

        assertThat(unsigned(hashes))
                .containsExactly("14643705804678351452", "16777012769546811212", "483935686894639516");
    }

    @Test
    void sequencesChainAsInDynamo() {
        long[] chain = BlockHashes.chain(BlockHashes.ofTokens(TWELVE, 4, BlockHashes.seed("", "")));

        assertThat(unsigned(chain))
                .containsExactly("14643705804678351452", "4945711292740353085", "12583592247330656132");
    }

    @Test
    void anAdapterMakesOtherBlocks() {
        long seed = BlockHashes.seed("adapter-a", "");

        assertThat(Long.toUnsignedString(seed)).isEqualTo("8842669519798868182");
        assertThat(unsigned(BlockHashes.ofTokens(FOUR, 4, seed))).containsExactly("11381080598872079209");
    }

    @Test
    void aCacheSaltMakesOtherBlocks() {
        long seed = BlockHashes.seed("", "tenant-1");

        assertThat(Long.toUnsignedString(seed)).isEqualTo("13131544620552358486");
        assertThat(unsigned(BlockHashes.ofTokens(FOUR, 4, seed))).containsExactly("12236259103925738072");
    }

    @Test
    void adapterAndSaltAddUp() {
        long seed = BlockHashes.seed("adapter-a", "tenant-1");

        assertThat(Long.toUnsignedString(seed)).isEqualTo("3527470066641673715");
        assertThat(unsigned(BlockHashes.ofTokens(FOUR, 4, seed))).containsExactly("5419529179100330851");
    }

    @Test
    void anIncompleteBlockHasNoHash() {
        long[] hashes = BlockHashes.ofTokens(Arrays.copyOf(TWELVE, 7), 4, BlockHashes.seed("", ""));

        assertThat(unsigned(hashes)).containsExactly("14643705804678351452");
    }

    private static String[] unsigned(long[] hashes) {
        return Arrays.stream(hashes).mapToObj(Long::toUnsignedString).toArray(String[]::new);
    }
}
