package io.kvrouter.kv.index;

import java.util.Arrays;

/**
 * What a walk found: for each cache, by its number, how many blocks from the start of the prompt it holds. Owned by one
 * thread and used again for every walk, which then allocates nothing.
 */
public final class Overlaps {
    private static final int TIERS = 3;

    private int[] ends = {};

    /** Blocks from the start that are all on the device. */
    public int device(int cache) {
        return end(cache, Tier.DEVICE);
    }

    /** How many more blocks follow without a gap that are on the device or in the host's memory. */
    public int host(int cache) {
        return end(cache, Tier.HOST) - end(cache, Tier.DEVICE);
    }

    /** How many more blocks follow without a gap in any tier. */
    public int disk(int cache) {
        return end(cache, Tier.DISK) - end(cache, Tier.HOST);
    }

    private int end(int cache, Tier tier) {
        int at = cache * TIERS + tier.depth();
        return at < ends.length ? ends[at] : 0;
    }

    void reset(int caches) {
        if (ends.length < caches * TIERS) {
            ends = new int[caches * TIERS];
        } else {
            Arrays.fill(ends, 0);
        }
    }

    void set(int cache, Tier tier, int blocks) {
        ends[cache * TIERS + tier.depth()] = blocks;
    }
}
