package io.kvrouter.kv.index;

import com.carrotsearch.hppc.LongIntHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How many hashes of the engine's, beyond the first, stand for one block of a cache in one tier. Rare: engines hash more
 * than the tokens (images, adapters under another name), and so have several hashes where the index has one block.
 */
final class Repeats {
    private static final int BYTES = 40;
    private static final int TIER_BITS = 2;

    private @Nullable LongIntHashMap counts;

    void add(long place, Tier tier) {
        if (counts == null) {
            counts = new LongIntHashMap();
        }
        counts.addTo(key(place, tier), 1);
    }

    /** Takes one away. Returns false where there is none: then the block itself leaves. */
    boolean take(long place, Tier tier) {
        long key = key(place, tier);
        if (counts == null || !counts.containsKey(key)) {
            return false;
        }
        if (counts.addTo(key, -1) == 0) {
            counts.remove(key);
        }
        if (counts.isEmpty()) {
            counts = null;
        }
        return true;
    }

    void clear() {
        counts = null;
    }

    long bytes() {
        return counts == null ? 0 : (long) BYTES * counts.size();
    }

    private static long key(long place, Tier tier) {
        return (place << TIER_BITS) | tier.depth();
    }
}
