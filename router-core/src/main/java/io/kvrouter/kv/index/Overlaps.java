package io.kvrouter.kv.index;

import java.util.Arrays;

/**
 * What a walk found: for each cache, by its number, how many blocks from the start of the prompt it holds. Owned by one
 * thread and used again for every walk, which then allocates nothing.
 *
 * <p>During a walk a list is kept of the caches that hold every block so far, each with a level: 0 while all blocks are
 * on its device, 1 while they are there or in host memory, 2 while they are in any tier. What a cache holds from the
 * start of one level to its end is its overlap in that tier.
 */
public final class Overlaps {
    private static final int LEVELS = 3;
    private static final int LEVEL_BITS = 2;
    private static final int LEVEL_MASK = (1 << LEVEL_BITS) - 1;
    private static final int SEARCH_FACTOR = 16;

    private int[] ends = {}; // per cache and level, in blocks from the start
    private int[] touched = {}; // the caches with an end other than 0, and perhaps others
    private int found;
    private HolderSet last = HolderSet.EMPTY;
    private int[] alive = {}; // cache << LEVEL_BITS | level, ascending
    private int count;
    private boolean begun;

    /** Blocks from the start that are all on the device. */
    public int device(int cache) {
        return end(cache, 0);
    }

    /** How many more blocks follow without a gap that are on the device or in the host's memory. */
    public int host(int cache) {
        return end(cache, 1) - end(cache, 0);
    }

    /** How many more blocks follow without a gap in any tier. */
    public int disk(int cache) {
        return end(cache, 2) - end(cache, 1);
    }

    private int end(int cache, int level) {
        int at = cache * LEVELS + level;
        return at < ends.length ? ends[at] : 0;
    }

    void begin() {
        for (int i = 0; i < found; i++) {
            int at = touched[i] * LEVELS;
            ends[at] = 0;
            ends[at + 1] = 0;
            ends[at + 2] = 0;
        }
        found = 0;
        count = 0;
        last = HolderSet.EMPTY;
        begun = false;
    }

    /** A cache holds so many blocks on the device. Told again for the same cache, if they are more than was said first. */
    void hold(int cache, boolean first, int blocks) {
        if (first) {
            touch(cache + 1, found + 1);
            touched[found++] = cache;
        }
        Arrays.fill(ends, cache * LEVELS, cache * LEVELS + LEVELS, blocks);
    }

    /** Makes room for all numbers below the first, and for so many that have an end. */
    private void touch(int caches, int having) {
        if (ends.length < caches * LEVELS) {
            ends = Arrays.copyOf(ends, caches * LEVELS * 2);
        }
        if (touched.length < having) {
            touched = Arrays.copyOf(touched, having * 2);
        }
    }

    /** The blocks from here on have these holders. Returns whether anyone is left who holds all so far. */
    boolean meet(HolderSet set, int block) {
        if (!begun) {
            begun = true;
            start(set);
        }
        if (set != last) {
            last = set;
            if (count * SEARCH_FACTOR < set.holders.length) {
                search(set, block);
            } else {
                merge(set, block);
            }
        }
        return count > 0;
    }

    /** The walk is over, after so many blocks. */
    void end(int blocks) {
        for (int i = 0; i < count; i++) {
            leave(alive[i], LEVELS, blocks);
        }
        count = 0;
    }

    private void start(HolderSet set) {
        int[] holders = set.holders;
        count = holders.length;
        found = count;
        if (count == 0) {
            return;
        }
        touch((holders[count - 1] >>> HolderSet.TIER_BITS) + 1, count);
        if (alive.length < count) {
            alive = new int[count * 2];
        }
        for (int i = 0; i < count; i++) {
            int cache = holders[i] >>> HolderSet.TIER_BITS;
            touched[i] = cache;
            alive[i] = cache << LEVEL_BITS;
        }
    }

    private void search(HolderSet set, int block) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            kept = keep(alive[i], set.tiers(alive[i] >>> LEVEL_BITS), block, kept);
        }
        count = kept;
    }

    private void merge(HolderSet set, int block) {
        int[] holders = set.holders;
        int kept = 0;
        int at = 0;
        for (int i = 0; i < count; i++) {
            int cache = alive[i] >>> LEVEL_BITS;
            while (at < holders.length && holders[at] >>> HolderSet.TIER_BITS < cache) {
                at++;
            }
            boolean there = at < holders.length && holders[at] >>> HolderSet.TIER_BITS == cache;
            kept = keep(alive[i], there ? holders[at] & HolderSet.TIERS : 0, block, kept);
        }
        count = kept;
    }

    /** A cache that holds the next block in these tiers stays in the list, on the first level that admits one of them. */
    private int keep(int entry, int tiers, int block, int kept) {
        int level = entry & LEVEL_MASK;
        if ((tiers & ((2 << level) - 1)) != 0) {
            alive[kept] = entry;
            return kept + 1;
        }
        int next = tiers == 0 ? LEVELS : Integer.numberOfTrailingZeros(tiers);
        leave(entry, next, block);
        if (next == LEVELS) {
            return kept;
        }
        alive[kept] = (entry & ~LEVEL_MASK) | next;
        return kept + 1;
    }

    private void leave(int entry, int next, int block) {
        int at = (entry >>> LEVEL_BITS) * LEVELS;
        for (int level = entry & LEVEL_MASK; level < next; level++) {
            ends[at + level] = block;
        }
    }
}
