package io.kvrouter.kv.index;

/**
 * Some blocks of one cache, as columns: row i is a block under one engine hash. A row without tiers is a block that the
 * cache does not hold, on the way to one that it does. At most {@link #ROWS} rows, 25 bytes each.
 *
 * @param engineHashes the engine's own hashes, for removals
 * @param sequenceHashes the hashes of the blocks and all before them
 * @param parents the sequence hashes of the blocks before them; no meaning where the row is a root
 * @param marks bit 0 device, bit 1 host, bit 2 disk, bit 3 a root: the first block of its prompts
 */
public record BlockBatch(long[] engineHashes, long[] sequenceHashes, long[] parents, byte[] marks) {
    public static final int ROWS = 4_096;

    static final int ROOT = 8;

    public BlockBatch {
        int rows = marks.length;
        if (engineHashes.length != rows || sequenceHashes.length != rows || parents.length != rows) {
            throw new IllegalArgumentException("columns: " + engineHashes.length + ", " + sequenceHashes.length + ", "
                    + parents.length + ", " + rows + " rows (expected: equal)");
        }
    }

    public int rows() {
        return marks.length;
    }
}
