package io.kvrouter.kv.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.BlockHashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Readers beside a writer: what they see was so at some time since they began to look. */
class KvIndexReadersTest {
    private static final int LENGTH = 1_300;
    private static final int READERS = 3;

    private final KvIndex index = new KvIndex(1 << 30, 99);
    private final long[] trunk = LongStream.range(0, LENGTH).toArray();
    private final long[] chain = BlockHashes.chain(trunk);
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger stored = new AtomicInteger();
    private volatile boolean over;

    @Test
    void aCacheThatNobodyChangesIsSeenAsItIs() throws Exception {
        KvCache still = index.open();
        still.storeFirst(Tier.DEVICE, trunk, trunk);
        Callable<Integer> reader = () -> {
            Overlaps overlaps = new Overlaps();
            int looks = 0;
            for (; !over || looks == 0; looks++) {
                index.overlaps(chain, overlaps);
                assertThat(overlaps.device(still.number())).isEqualTo(LENGTH);
            }
            return looks;
        };

        beside(reader, this::churn);
    }

    /** Other caches hold parts of the same chain, fork from it, and fill the table of heads with chains of one block. */
    private void churn() {
        Random random = new Random(5);
        KvCache other = index.open();
        for (int round = 0; round < 150; round++) {
            long[] fork = trunk.clone();
            int at = random.nextInt(LENGTH);
            Arrays.fill(fork, at, LENGTH, round + 1_000_000L);
            long[] engineHashes = BlockHashes.chain(fork);
            other.storeFirst(Tier.DEVICE, engineHashes, fork);
            for (long i = 0; i < 200; i++) {
                other.storeFirst(Tier.HOST, new long[] {-i - 1}, new long[] {random.nextLong()});
            }
            int from = random.nextInt(LENGTH);
            other.remove(Tier.DEVICE, Arrays.copyOfRange(engineHashes, from, LENGTH));
            other.clear();
        }
    }

    @Test
    void aChainThatGrowsIsNeverSeenShorterThanItWas() throws Exception {
        KvCache growing = index.open();
        Callable<Integer> reader = () -> {
            Overlaps overlaps = new Overlaps();
            int looks = 0;
            for (; !over || looks == 0; looks++) {
                int least = stored.get();
                index.overlaps(chain, overlaps);
                int most = begun.get();
                assertThat(overlaps.device(growing.number())).isBetween(least, most);
            }
            return looks;
        };

        beside(reader, () -> grow(growing, index.open()));
    }

    /** Block by block, each followed by another cache's that is different and leaves again. */
    private void grow(KvCache growing, KvCache other) {
        begun.set(1);
        growing.storeFirst(Tier.DEVICE, new long[] {0}, new long[] {0});
        other.storeFirst(Tier.DEVICE, new long[] {0}, new long[] {0});
        stored.set(1);
        for (int i = 1; i < LENGTH; i++) {
            long[] engineHash = {i};
            begun.set(i + 1);
            other.storeAfter(i - 1, Tier.DEVICE, new long[] {-i}, new long[] {-i});
            other.remove(Tier.DEVICE, new long[] {-i});
            growing.storeAfter(i - 1, Tier.DEVICE, engineHash, engineHash);
            other.storeAfter(i - 1, Tier.DEVICE, engineHash, engineHash);
            stored.set(i + 1);
        }
    }

    private void beside(Callable<Integer> reader, Runnable writer) throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                readers.add(threads.submit(reader));
            }
            try {
                writer.run();
            } finally {
                over = true;
            }
            for (Future<Integer> looks : readers) {
                assertThat(looks.get()).isPositive();
            }
        }
    }
}
