package io.kvrouter.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ChainTest {
    @Test
    void aShortChainIsItsOwnSample() {
        Chain chain = chain(64);

        assertThat(chain.marks()).isEqualTo(chain.hashes());
        assertThat(chain.blocks(64)).isEqualTo(64);
    }

    @Test
    void aHundredThousandTokensInBlocksOf64Have111Marks() {
        Chain chain = chain(100_000 / 64);

        assertThat(chain.length()).isEqualTo(1_562);
        assertThat(chain.marks()).hasSize(111);
        assertThat(chain.blocks(111)).isEqualTo(1_562);
    }

    @Test
    void aMarkStandsForAllBlocksBeforeIt() {
        Chain chain = chain(200);

        assertThat(chain.marks()[64]).isEqualTo(chain.hashes()[95]);
        assertThat(chain.blocks(65)).isEqualTo(96);
        assertThat(chain.lastBlocks(1)).isEqualTo(200 - 192);
        assertThat(chain.lastBlocks(0)).isZero();
    }

    @Test
    void chainsWithACommonBeginningHaveItsMarksInCommon() {
        assertThat(chain(300).marks())
                .startsWith(LongStream.of(chain(200).marks()).limit(68).toArray());
    }

    @Test
    void noBlocksHaveNoMarks() {
        assertThat(Chain.EMPTY.marks()).isEmpty();
        assertThat(Chain.EMPTY.blocks(0)).isZero();
    }

    private static Chain chain(int blocks) {
        return Chain.of(LongStream.rangeClosed(1, blocks).toArray());
    }
}
