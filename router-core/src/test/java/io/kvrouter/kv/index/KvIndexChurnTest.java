package io.kvrouter.kv.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KvIndexChurnTest {
    private static final int ROUNDS = 20;
    private static final int CHAINS = 50_000;
    private static final long TOLERATED = 4 << 20;

    /** A million chains that have nothing in common, 50,000 at a time: 150 MB if they stayed. */
    @Test
    void aMillionChainsStoredAndRemovedLeaveNothingBehind() {
        KvIndex index = new KvIndex(1L << 30, 7);
        KvCache cache = index.open();
        churn(cache, 1, new Random(0));
        long bytes = index.bytes();
        long heap = heap();

        churn(cache, ROUNDS, new Random(1));

        assertThat(index.blocks()).isZero();
        assertThat(index.runs()).isZero();
        assertThat(index.bytes()).isEqualTo(bytes);
        assertThat(heap() - heap).isLessThan(TOLERATED);
        assertThat(cache.number()).isZero(); // and both were there to be measured
    }

    private static void churn(KvCache cache, int rounds, Random random) {
        long[] first = new long[CHAINS];
        for (int round = 0; round < rounds; round++) {
            Arrays.setAll(first, i -> random.nextLong());
            for (long block : first) {
                cache.storeFirst(Tier.DEVICE, new long[] {block, ~block}, new long[] {block, 1});
            }
            for (int i = CHAINS - 1; i >= 0; i--) {
                int chain = round % 2 == 0 ? i : CHAINS - 1 - i;
                cache.remove(Tier.DEVICE, new long[] {~first[chain], first[chain]});
            }
        }
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
