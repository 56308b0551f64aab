package io.kvrouter.kv.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NullMarked
class CacheWriterTest extends WrittenCache {
    @Nested
    class Places {
        @ParameterizedTest
        @CsvSource({
            ",3,0,0",
            "GPU,3,0,0",
            "device,3,0,0",
            "CPU,0,3,0",
            "cpu,0,3,0",
            "CPU_PINNED,0,3,0",
            "CPU_TIER1,0,3,0",
            "host,0,3,0",
            "DISK,0,0,3",
            "NVMe,0,0,3",
            "STORAGE,0,0,3",
            "NETWORK,0,0,0",
            "OBJ,0,0,0"
        })
        void aMediumIsATier(@Nullable String medium, int device, int host, int disk) {
            writer.apply(stored(Lineage.ROOT, on(medium), 0, 3));

            var found = overlaps("", "");
            assertThat(List.of(found.device(0), found.host(0), found.disk(0))).containsExactly(device, host, disk);
        }

        @Test
        void blocksElsewhereAreIgnored() {
            writer.apply(stored(Lineage.ROOT, new Placement("CPU", true, 0, null), 0, 3));

            assertThat(index.blocks()).isZero();
            assertThat(writer.counts().ignored()).isEqualTo(1);
        }

        @Test
        void theSameBlockInTwoTiersSurvivesOneRemoval() {
            writer.apply(root());
            writer.apply(stored(Lineage.ROOT, on("CPU"), 0, 1));

            writer.apply(new BlocksRemoved(new long[] {100}, Placement.DEVICE));

            assertThat(overlaps("", "").host(0)).isEqualTo(1);
        }

        @Test
        void theSameBlockInTwoRanksSurvivesOneRemoval() {
            var other = new CacheWriter(index.open(), 4, () -> false);
            writer.apply(root());
            other.apply(root());

            writer.apply(new BlocksRemoved(new long[] {100}, Placement.DEVICE));

            assertThat(held()).isZero();
            assertThat(overlaps("", "").device(1)).isEqualTo(1);
        }

        @Test
        void onlyTheGroupWithFullAttentionCounts() {
            writer.apply(stored(Lineage.ROOT, group(0, "sliding_window"), 0, 3));
            writer.apply(stored(Lineage.ROOT, group(1, "full_attention"), 0, 2));
            writer.apply(stored(Lineage.ROOT, group(2, "mla_attention"), 0, 3));
            writer.apply(new BlocksRemoved(new long[] {100}, group(0, null)));
            assertThat(held()).isEqualTo(2);

            writer.apply(new BlocksRemoved(new long[] {101}, group(1, null)));

            assertThat(held()).isEqualTo(1);
            assertThat(writer.counts().ignored()).isEqualTo(3);
        }

        @Test
        void withoutKindsTheFirstGroupCounts() {
            writer.apply(stored(Lineage.ROOT, group(0, null), 0, 1));
            writer.apply(stored(Lineage.ROOT, group(1, null), 0, 3));

            assertThat(held()).isEqualTo(1);
        }
    }

    @Nested
    class Drops {
        @Test
        void blocksWithoutTokens() {
            writer.apply(new BlocksStored(new long[] {1}, new int[0], 4, Lineage.ROOT, Placement.DEVICE));
            writer.apply(new BlocksStored(new long[] {1}, new int[0], 0, Lineage.ROOT, Placement.DEVICE));
            writer.apply(new BlocksStored(new long[] {1}, PROMPT, 0, Lineage.ROOT, Placement.DEVICE));

            assertThat(writer.counts().ignored()).isEqualTo(3);
            assertThat(writer.fits()).isTrue();
        }

        @Test
        void moreBlocksThanTokensAndFewer() {
            writer.apply(new BlocksStored(new long[] {1, 2}, PROMPT, 4, Lineage.ROOT, Placement.DEVICE));
            writer.apply(new BlocksStored(new long[] {1, 2, 3, 4}, PROMPT, 4, Lineage.ROOT, Placement.DEVICE));

            assertThat(writer.counts().malformed()).isEqualTo(2);
            assertThat(index.blocks()).isZero();
        }

        @Test
        void aStoreWithAnUnknownParent() {
            writer.apply(child(1));

            assertThat(writer.counts().unknownParents()).isEqualTo(1);
            assertThat(writer.orphaned()).isTrue();
            assertThat(writer.orphaned()).isFalse();
        }

        @Test
        void anotherBlockSize() {
            writer.apply(new BlocksStored(new long[] {1}, new int[8], 8, Lineage.ROOT, Placement.DEVICE));

            assertThat(writer.fits()).isFalse();
            assertThat(writer.counts().wrongBlockSize()).isEqualTo(1);
        }

        @Test
        void whatTheIndexHasNoRoomForAndItsChildren() {
            full.set(true);
            writer.apply(root());
            full.set(false);
            writer.apply(child(1));

            assertThat(writer.counts().refusedBlocks()).isEqualTo(1);
            assertThat(writer.orphaned()).isFalse();
        }

        @Test
        void theUnknownPartOfARemoval() {
            writer.apply(stored(Lineage.ROOT, Placement.DEVICE, 0, 3));

            writer.apply(new BlocksRemoved(new long[] {102, 555, 101}, Placement.DEVICE));

            assertThat(held()).isEqualTo(1);
            assertThat(writer.counts().unknownBlocks()).isEqualTo(1);
        }
    }

    @Test
    void everythingLeavesWhenTheEngineResets() {
        writer.apply(stored(after(null, "", BlockKeys.ofTexts("tenant-1")), Placement.DEVICE, 0, 3));

        writer.apply(new KvEvent.AllCleared());

        assertThat(index.blocks()).isZero();
        assertThat(writer.cleared()).isTrue();
    }

    @Test
    void childrenOfARemovedBlockStayWithWhoeverHoldsThem() {
        var other = new CacheWriter(index.open(), 4, () -> false);
        writer.apply(stored(Lineage.ROOT, Placement.DEVICE, 0, 3));
        other.apply(stored(Lineage.ROOT, Placement.DEVICE, 0, 3));

        writer.apply(new BlocksRemoved(new long[] {100}, Placement.DEVICE));
        assertThat(overlaps("", "").device(1)).isEqualTo(3);
        writer.apply(root());

        assertThat(held()).isEqualTo(3);
    }
}
