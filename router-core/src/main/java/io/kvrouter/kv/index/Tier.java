package io.kvrouter.kv.index;

/** Where a worker keeps a block, from the fastest to the slowest memory. */
public enum Tier {
    DEVICE(0),
    HOST(1),
    DISK(2);

    private final int depth;

    Tier(int depth) {
        this.depth = depth;
    }

    /** Its place, counted from the fastest. */
    int depth() {
        return depth;
    }

    /** Tiers are bits of a holder: a cache holds a block in any set of them. */
    int bit() {
        return 1 << depth;
    }
}
