package io.kvrouter.kv.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Which prompts the blocks of an event belong to. */
@NullMarked
class BlockKeysTest extends WrittenCache {
    @Test
    void anAdaptersBlocksAreKeyedByItsName() {
        writer.apply(stored(after(null, "adapter-a"), Placement.DEVICE, 0, 2));
        writer.apply(stored(after(101L, "adapter-a"), Placement.DEVICE, 2, 1));

        assertThat(overlaps("adapter-a", "").device(0)).isEqualTo(3);
        assertThat(held()).isZero();
    }

    @Test
    void anAdapterThatIsOnlyANumberIsNeitherTheBaseModelNorAnotherOne() {
        writer.apply(stored(after(null, Lineage.adapter(null, "1")), Placement.DEVICE, 0, 1));

        assertThat(held()).isZero();
        assertThat(overlaps("1", "").device(0)).isZero();
        assertThat(index.blocks()).isEqualTo(1);
    }

    @Test
    void theNumberZeroIsTheBaseModel() {
        assertThat(Lineage.adapter(null, "0")).isEmpty();
        assertThat(Lineage.adapter("adapter-a", "7")).isEqualTo("adapter-a");
    }

    @Test
    void theSaltOfTheFirstBlockSeedsTheWholeChain() {
        writer.apply(root(BlockKeys.ofTexts("tenant-1")));
        writer.apply(child(1));
        writer.apply(child(2));

        assertThat(overlaps("", "tenant-1").device(0)).isEqualTo(3);
        assertThat(held()).isZero();
    }

    @Test
    void oneEventMayHoldASaltedChain() {
        writer.apply(stored(
                after(null, "adapter-a", BlockKeys.ofTexts("adapter-a", "tenant-1"), BlockKeys.ofTexts("adapter-a")),
                Placement.DEVICE,
                0,
                3));

        assertThat(overlaps("adapter-a", "tenant-1").device(0)).isEqualTo(3);
    }

    @Test
    void typedKeysSayWhatTheyAre() {
        writer.apply(root(new BlockKeys(List.of(), "tenant-1", "adapter-a", 0)));

        assertThat(overlaps("adapter-a", "tenant-1").device(0)).isEqualTo(1);
    }

    @Test
    void theSaltIsRememberedForSaltedBlocksOnlyAndUntilTheyLeave() {
        var seeds = new ChainSeeds();
        seeds.stored(new long[] {1, 2}, 0);
        assertThat(seeds.size()).isZero();

        seeds.stored(new long[] {1, 2}, 5);
        seeds.removed(new long[] {1, 2}, hash -> hash == 2);
        assertThat(seeds.size()).isEqualTo(1);

        seeds.removed(new long[] {2}, hash -> false);
        assertThat(seeds.size()).isZero();
    }

    @Test
    void aSaltedParentKeepsItsSaltWhileAnotherTierHoldsIt() {
        writer.apply(root(BlockKeys.ofTexts("tenant-1")));
        writer.apply(stored(after(null, "", BlockKeys.ofTexts("tenant-1")), on("CPU"), 0, 1));
        writer.apply(new BlocksRemoved(new long[] {100}, Placement.DEVICE));
        writer.apply(child(1));

        assertThat(overlaps("", "tenant-1").host(0)).isEqualTo(2);
    }

    @Test
    void anImageEndsWhatAPromptOfTextCanMatch() {
        writer.apply(root());
        writer.apply(child(1, new BlockKeys(List.of(), "", "", 4711)));
        writer.apply(child(2));

        assertThat(held()).isEqualTo(1);
        assertThat(index.blocks()).isEqualTo(3);
    }

    @Test
    void aTextThatIsNeitherAdapterNorSaltEndsItToo() {
        writer.apply(root());
        writer.apply(child(1, BlockKeys.ofTexts("sha-of-an-image")));

        assertThat(held()).isEqualTo(1);
    }
}
