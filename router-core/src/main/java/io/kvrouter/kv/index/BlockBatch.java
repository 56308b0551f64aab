package io.kvrouter.kv.index;

import java.util.Arrays;

/**
 * Some blocks of one cache on their way to another node, as columns of 25 bytes a row. A row is a block under one hash of
 * the engine's. It follows the block of the row before, or else the one that the cache holds under the engine's hash
 * {@link #parent}, or else it is the first of a prompt. A row without a tier is a block that the cache does not hold, on
 * the way to one that it does.
 */
public final class BlockBatch {
    /** So many rows end a batch; it has more where a way to a block is long. */
    public static final int ROWS = 4_096;

    static final int ROOT = 8;
    static final int FOLLOWS = 16;

    private final long[] engineHashes;
    private final long[] sequenceHashes;
    private final long[] parents;
    private final byte[] marks;

    /** The columns, as the accessors of a row tell them. Not copied. */
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

    /** The engine's own hash of the block, for removals; of no meaning in a row without a tier. */
    public long engineHash(int row) {
        return engineHashes[row];
    }

    /** The hash of the block and all before it. */
    public long sequenceHash(int row) {
        return sequenceHashes[row];
    }

    /** The engine's hash of the block before it; of no meaning in a row that follows, and in a root. */
    public long parent(int row) {
        return parents[row];
    }

    /** Bits 0 to 2: on the device, in host memory, on disk; bit 3: a root; bit 4: it follows the row before. */
    public byte marks(int row) {
        return marks[row];
    }

    int tiers(int row) {
        return marks[row] & HolderSet.TIERS;
    }

    boolean isRoot(int row) {
        return (marks[row] & ROOT) != 0;
    }

    boolean follows(int row) {
        return (marks[row] & FOLLOWS) != 0;
    }

    /** The end of the rows that follow one another from this one on, in the same tiers. */
    int endOfPiece(int row) {
        int end = row + 1;
        while (end < rows() && follows(end) && tiers(end) == tiers(row)) {
            end++;
        }
        return end;
    }

    long[] engineHashes(int from, int to) {
        return Arrays.copyOfRange(engineHashes, from, to);
    }

    long[] sequenceHashes(int from, int to) {
        return Arrays.copyOfRange(sequenceHashes, from, to);
    }
}
