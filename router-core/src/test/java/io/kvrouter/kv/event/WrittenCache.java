package io.kvrouter.kv.event;

import io.kvrouter.kv.BlockHashes;
import io.kvrouter.kv.index.KvCache;
import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.index.Overlaps;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** One cache of an index, written by events of one prompt's blocks. */
@NullMarked
abstract class WrittenCache {
    static final int[] PROMPT = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

    final KvIndex index = new KvIndex(1 << 20, 3);
    final KvCache cache = index.open();
    final AtomicBoolean full = new AtomicBoolean();
    final CacheWriter writer = new CacheWriter(cache, 4, full::get);

    static BlocksStored stored(Lineage lineage, Placement placement, int from, int blocks) {
        long[] hashes = new long[blocks];
        for (int i = 0; i < blocks; i++) {
            hashes[i] = 100L + from + i;
        }
        return new BlocksStored(
                hashes, Arrays.copyOfRange(PROMPT, from * 4, (from + blocks) * 4), 4, lineage, placement);
    }

    static Lineage after(@Nullable Long parent, String adapter, @Nullable BlockKeys... keys) {
        return new Lineage(parent, adapter, Arrays.asList(keys));
    }

    static BlocksStored root(@Nullable BlockKeys... keys) {
        return stored(after(null, "", keys), Placement.DEVICE, 0, 1);
    }

    static BlocksStored child(int number, @Nullable BlockKeys... keys) {
        return stored(after(99L + number, "", keys), Placement.DEVICE, number, 1);
    }

    static Placement on(@Nullable String medium) {
        return new Placement(medium, false, Placement.NO_GROUP, null);
    }

    static Placement group(int number, @Nullable String kind) {
        return new Placement(null, false, number, kind);
    }

    Overlaps overlaps(String adapter, String salt) {
        var found = new Overlaps();
        index.overlaps(BlockHashes.chain(BlockHashes.ofTokens(PROMPT, 4, BlockHashes.seed(adapter, salt))), found);
        return found;
    }

    int held() {
        return overlaps("", "").device(0);
    }
}
