package io.kvrouter.kv.index;

/**
 * Some blocks of one cache, as columns: a row is a block under one engine hash. A row without tiers is a block that the
 * cache does not hold, on the way to one that it does. At most {@link #ROWS} rows, 25 bytes each.
 */
public final class BlockBatch {
    /** The most that an export puts into a batch. */
    public static final int ROWS = 4_096;

    static final int TIERS = 7;
    static final int ROOT = 8;

    private final long[] engineHashes;
    private final long[] sequenceHashes;
    private final long[] parents;
    private final byte[] marks;

    /**
     * The columns, as the accessors of a row tell them. Not copied.
     */
    public BlockBatch(long[] engineHashes, long[] sequenceHashes, long[] parents, byte[] marks) {
        int rows = marks.length;
        if (engineHashes.length != rows || sequenceHashes.length != rows || parents.length != rows) {
            throw new IllegalArgumentException("columns: " + engineHashes.length + ", " + sequenceHashes.length + ", "
                    + parents.length + ", " + rows + " rows (expected: equal)");
        }
        this.engineHashes = engineHashes;
        this.sequenceHashes = sequenceHashes;
        this.parents = parents;
        this.marks = marks;
    }

    public int rows() {
        return marks.length;
    }

    /** The engine's own hash of the block, for removals. */
    public long engineHash(int row) {
        return engineHashes[row];
    }

    /** The hash of the block and all before it. */
    public long sequenceHash(int row) {
        return sequenceHashes[row];
    }

    /** The sequence hash of the block before it; of no meaning in a root. */
    public long parent(int row) {
        return parents[row];
    }

    /** Bit 0: on the device, bit 1: in host memory, bit 2: on disk, bit 3: a root, the first block of its prompts. */
    public byte marks(int row) {
        return marks[row];
    }

    int tiers(int row) {
        return marks[row] & TIERS;
    }

    boolean isRoot(int row) {
        return (marks[row] & ROOT) != 0;
    }
}
