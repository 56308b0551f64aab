package io.kvrouter.kv.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvrouter.kv.BlockHashes;
import io.kvrouter.kv.index.KvCache.Stored;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KvIndexTest {
    private static final long[] BLOCKS = {1, 2, 3, 4};
    private static final long[] HASHES = {101, 102, 103, 104};

    private final KvIndex index = new KvIndex(1 << 30, 42);
    private final KvCache a = index.open();
    private final KvCache b = index.open();
    private final Overlaps overlaps = new Overlaps();

    private int device(KvCache cache, long... blocks) {
        index.overlaps(BlockHashes.chain(blocks), overlaps);
        return overlaps.device(cache.number());
    }

    @Test
    void aPromptOverlapsWithWhatWasStored() {
        a.storeFirst(Tier.DEVICE, HASHES, BLOCKS);
        b.storeFirst(Tier.DEVICE, new long[] {7, 8}, new long[] {1, 2});
        b.storeAfter(8, Tier.DEVICE, new long[] {9}, new long[] {5});

        assertThat(device(a, 1, 2, 3, 4, 5)).isEqualTo(4);
        assertThat(device(b, 1, 2, 3, 4, 5)).isEqualTo(2);
        assertThat(device(b, 1, 2, 5)).isEqualTo(3);
        assertThat(device(a, 2, 3, 4)).isZero();
    }

    @Test
    void slowerTiersGoOnWhereTheFasterEnd() {
        a.storeFirst(Tier.DEVICE, new long[] {101}, new long[] {1});
        a.storeFirst(Tier.HOST, new long[] {101, 102, 103}, new long[] {1, 2, 3});
        a.storeAfter(103, Tier.DISK, new long[] {104}, new long[] {4});

        index.overlaps(BlockHashes.chain(BLOCKS), overlaps);

        assertThat(overlaps.device(a.number())).isEqualTo(1);
        assertThat(overlaps.host(a.number())).isEqualTo(2);
        assertThat(overlaps.disk(a.number())).isEqualTo(1);
        assertThat(overlaps.host(b.number())).isZero();
    }

    @Test
    void anUnknownParentIsTold() {
        assertThat(a.storeAfter(77, Tier.DEVICE, HASHES, BLOCKS)).isEqualTo(Stored.UNKNOWN_PARENT);

        assertThat(index.blocks()).isZero();
        assertThat(index.refusedBlocks()).isZero();
    }

    @Test
    void aParentIsKnownToItsOwnCacheOnly() {
        a.storeFirst(Tier.DEVICE, HASHES, BLOCKS);

        assertThat(b.storeAfter(104, Tier.DEVICE, new long[] {9}, new long[] {9}))
                .isEqualTo(Stored.UNKNOWN_PARENT);
    }

    @Test
    void chainsAreLongerThanRuns() {
        long[] blocks = LongStream.range(0, 2_000).toArray();
        a.storeFirst(Tier.DEVICE, blocks, blocks);
        a.storeAfter(1_999, Tier.DEVICE, new long[] {5_000}, new long[] {2_000});

        assertThat(device(a, LongStream.range(0, 3_000).toArray())).isEqualTo(2_001);
        assertThat(index.runs()).isEqualTo(4);
    }

    @Test
    void whatReadersMayLookAtIsNeverWritten() {
        a.storeFirst(Tier.DEVICE, HASHES, BLOCKS);
        a.storeAfter(104, Tier.DEVICE, new long[] {105}, new long[] {5});
        Run.State seen =
                Objects.requireNonNull(index.tree.heads.find(1)).state; // a first block is its own sequence hash
        long[] hashes = Arrays.copyOf(seen.hashes, seen.length);

        a.remove(Tier.DEVICE, new long[] {105, 104});
        a.storeAfter(103, Tier.DEVICE, new long[] {106, 107}, new long[] {6, 7});

        assertThat(Arrays.copyOf(seen.hashes, seen.length)).isEqualTo(hashes);
        assertThat(device(a, 1, 2, 3, 6, 7)).isEqualTo(5);
    }

    @Nested
    class Removal {
        @Test
        void oneOfTwoTiersLeavesTheOther() {
            a.storeFirst(Tier.DEVICE, HASHES, BLOCKS);
            a.storeFirst(Tier.HOST, HASHES, BLOCKS);

            a.remove(Tier.DEVICE, HASHES);

            index.overlaps(BlockHashes.chain(BLOCKS), overlaps);
            assertThat(overlaps.device(a.number())).isZero();
            assertThat(overlaps.host(a.number())).isEqualTo(4);
        }

        @Test
        void oneOfTwoCachesLeavesTheOther() {
            a.storeFirst(Tier.DEVICE, HASHES, BLOCKS);
            b.storeFirst(Tier.DEVICE, HASHES, BLOCKS);

            a.remove(Tier.DEVICE, HASHES);

            assertThat(device(a, BLOCKS)).isZero();
            assertThat(device(b, BLOCKS)).isEqualTo(4);
        }

        @Test
        void oneOfTwoEngineHashesLeavesTheOther() {
            a.storeFirst(Tier.DEVICE, new long[] {101}, new long[] {1});
            a.storeFirst(Tier.DEVICE, new long[] {201}, new long[] {1});

            a.remove(Tier.DEVICE, new long[] {101});
            assertThat(device(a, 1)).isEqualTo(1);

            a.remove(Tier.DEVICE, new long[] {201});
            assertThat(device(a, 1)).isZero();
        }

        @Test
        void endsAnEventThatCameAThousandTimes() {
            a.storeFirst(Tier.DEVICE, HASHES, BLOCKS);
            long bytes = index.bytes();
            for (int i = 1; i < 1_000; i++) {
                a.storeFirst(Tier.DEVICE, HASHES, BLOCKS);
            }
            assertThat(index.bytes()).isEqualTo(bytes);
            assertThat(index.blocks()).isEqualTo(4);

            assertThat(a.remove(Tier.DEVICE, HASHES)).isZero();

            assertThat(index.blocks()).isZero();
            assertThat(index.runs()).isZero();
        }

        @Test
        void isAppliedWhereItNamesUnknownBlocksToo() {
            a.storeFirst(Tier.DEVICE, HASHES, BLOCKS);

            assertThat(a.remove(Tier.DEVICE, new long[] {55, 104, 56, 103})).isEqualTo(2);

            assertThat(device(a, BLOCKS)).isEqualTo(2);
        }

        @Test
        void ofABlockLeavesItsChildrenWhereTheyAre() {
            a.storeFirst(Tier.DEVICE, HASHES, BLOCKS);
            b.storeFirst(Tier.DEVICE, HASHES, BLOCKS);

            a.remove(Tier.DEVICE, new long[] {101, 102});
            assertThat(device(a, BLOCKS)).isZero();
            assertThat(device(b, BLOCKS)).isEqualTo(4);

            a.storeFirst(Tier.DEVICE, new long[] {101, 102}, new long[] {1, 2});
            assertThat(device(a, BLOCKS)).isEqualTo(4);
        }

        @Test
        void ofAllBlocksKeepsTheCache() {
            a.storeFirst(Tier.DEVICE, HASHES, BLOCKS);

            a.clear();

            assertThat(a.blocks()).isZero();
            assertThat(a.storeFirst(Tier.DEVICE, HASHES, BLOCKS)).isEqualTo(Stored.STORED);
        }

        @Test
        void ofACacheFreesItsNumber() {
            a.storeFirst(Tier.DEVICE, HASHES, BLOCKS);
            a.close();

            KvCache next = index.open();

            assertThat(next.number()).isEqualTo(a.number());
            assertThat(device(next, BLOCKS)).isZero();
            assertThatThrownBy(() -> a.storeFirst(Tier.DEVICE, HASHES, BLOCKS))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Nested
    class Budget {
        private final KvIndex small = new KvIndex(100_000, 42);
        private final KvCache cache = small.open();

        @Test
        void refusesWhatIsTooMuchAndTakesTheRest() {
            long[] blocks = LongStream.range(0, 10_000).toArray();

            assertThat(cache.storeFirst(Tier.DEVICE, blocks, blocks)).isEqualTo(Stored.FULL);

            assertThat(cache.blocks()).isPositive();
            assertThat(small.refusedBlocks()).isEqualTo(10_000 - cache.blocks());
        }

        @Test
        void chargesChainsOfOneBlockWithWhatTheyCost() {
            for (long i = 0; i < 10_000; i++) {
                cache.storeFirst(Tier.DEVICE, new long[] {i}, new long[] {i});
            }

            assertThat(small.bytes()).isBetween(99_000L, 101_000L);
            assertThat(cache.blocks()).isLessThan(700);
        }

        @Test
        void callsNoEventLostWhoseParentMayHaveBeenRefused() {
            long[] blocks = LongStream.range(0, 10_000).toArray();
            cache.storeFirst(Tier.DEVICE, blocks, blocks);

            assertThat(cache.storeAfter(9_999, Tier.DEVICE, HASHES, BLOCKS)).isEqualTo(Stored.FULL);

            cache.clear();
            assertThat(cache.storeAfter(9_999, Tier.DEVICE, HASHES, BLOCKS)).isEqualTo(Stored.UNKNOWN_PARENT);
        }

        @Test
        void isFreeAgainWhenBlocksLeave() {
            long[] blocks = LongStream.range(0, 10_000).toArray();
            cache.storeFirst(Tier.DEVICE, blocks, blocks);
            cache.remove(Tier.DEVICE, blocks);

            assertThat(cache.storeFirst(Tier.DEVICE, HASHES, BLOCKS)).isEqualTo(Stored.STORED);
        }
    }

    @Test
    void aLookUpAllocatesNothing() {
        long[] blocks = LongStream.range(0, 1_500).toArray();
        a.storeFirst(Tier.DEVICE, blocks, blocks);
        b.storeFirst(Tier.HOST, Arrays.copyOf(blocks, 700), Arrays.copyOf(blocks, 700));
        long[] chain = BlockHashes.chain(blocks);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        index.overlaps(chain, overlaps);
        threads.getCurrentThreadAllocatedBytes();

        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 10_000; i++) {
            index.overlaps(chain, overlaps);
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(allocated).isLessThan(10_000); // in all: VarHandles cost something until they are compiled
    }
}
