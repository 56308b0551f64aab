package io.kvrouter.kv.index;

import io.kvrouter.kv.BlockHashes;

/**
 * The cache of one worker and rank, as its events tell. One writer at a time; the index serialises the writers of
 * different caches itself.
 *
 * <p>A block that is stored again in the same tier under the same hash of the engine's changes nothing. Tiers, and two
 * hashes of the engine's for one block, count separately: the block stays until all have gone.
 */
public final class KvCache {
    /** What became of stored blocks. */
    public enum Stored {
        STORED,
        /** The parent is not in the cache: an event was lost. */
        UNKNOWN_PARENT,
        /** Some or all were refused, or blocks before them may have been: no sign of a lost event. */
        FULL
    }

    private final KvIndex index;
    private final RunTree tree;
    private final int number;
    private final HeldBlocks held;
    private boolean open = true;
    private long countedBytes;
    private long countedBlocks;

    KvCache(KvIndex index, RunTree tree, int number, long multiplier) {
        this.index = index;
        this.tree = tree;
        this.number = number;
        this.held = new HeldBlocks(index, tree, number, multiplier);
        settle();
    }

    /** Its number in {@link Overlaps}: dense, and used again after {@link #close()}. */
    public int number() {
        return number;
    }

    /** Blocks that it holds, each counted once, in whatever tiers and under however many hashes. */
    public long blocks() {
        synchronized (index.lock) {
            return held.blocks();
        }
    }

    /**
     * Blocks from the start of a prompt are now in the tier.
     *
     * @param engineHashes the engine's own hashes, for removals and parents
     * @param blockHashes the hashes of the blocks' own content, as many
     */
    public Stored storeFirst(Tier tier, long[] engineHashes, long[] blockHashes) {
        checkColumns(engineHashes, blockHashes);
        long[] chain = BlockHashes.chain(blockHashes);
        synchronized (index.lock) {
            checkOpen();
            Stored stored = held.store(null, 0, tier.bit(), engineHashes, chain);
            settle();
            return stored;
        }
    }

    /**
     * Blocks that follow a parent are now in the tier.
     *
     * @param parent the engine's hash of the block before the first
     * @param engineHashes the engine's own hashes, for removals and parents
     * @param blockHashes the hashes of the blocks' own content, as many
     */
    public Stored storeAfter(long parent, Tier tier, long[] engineHashes, long[] blockHashes) {
        checkColumns(engineHashes, blockHashes);
        synchronized (index.lock) {
            checkOpen();
            Stored stored = held.storeAfter(parent, tier.bit(), engineHashes, blockHashes);
            settle();
            return stored;
        }
    }

    /** Blocks left the tier. Returns how many of them were not there; the others are removed all the same. */
    public int remove(Tier tier, long[] engineHashes) {
        synchronized (index.lock) {
            int unknown = held.remove(tier, engineHashes);
            settle();
            return unknown;
        }
    }

    /** All blocks leave, the cache stays. */
    public void clear() {
        synchronized (index.lock) {
            held.clear();
            settle();
        }
    }

    /** All blocks leave, and the number is free for another cache. */
    public void close() {
        synchronized (index.lock) {
            if (open) {
                held.clear();
                open = false;
                settle();
                index.closed(number);
            }
        }
    }

    /** Whether a block is held under this engine hash, in whatever tier. */
    public boolean holds(long engineHash) {
        synchronized (index.lock) {
            return held.places().get(engineHash) != 0;
        }
    }

    /**
     * Gives its blocks to a sink, parents before children, in batches that are restored in the same order. Counts as
     * its writer: nothing may be stored or removed meanwhile. Other caches' writers need not wait.
     */
    public void export(BlockSink sink) {
        new CacheExport(index.lock, tree, sink).run(held.places());
    }

    /** Takes a batch that another node exported. What is there already stays. */
    public Stored restore(BlockBatch batch) {
        synchronized (index.lock) {
            checkOpen();
            Stored stored = held.restore(batch);
            settle();
            return stored;
        }
    }

    private static void checkColumns(long[] engineHashes, long[] blockHashes) {
        if (engineHashes.length != blockHashes.length) {
            throw new IllegalArgumentException("hashes: " + engineHashes.length + " of the engine's, "
                    + blockHashes.length + " of blocks (expected: equally many)");
        }
    }

    private void checkOpen() {
        if (!open) {
            throw new IllegalStateException("cache " + number + " is closed");
        }
    }

    /** Ends an operation: what nobody holds any more goes, and the index hears of the difference. */
    private void settle() {
        tree.settle();
        long bytes = open ? held.bytes() : 0;
        index.account(bytes - countedBytes, held.blocks() - countedBlocks);
        countedBytes = bytes;
        countedBlocks = held.blocks();
    }
}
