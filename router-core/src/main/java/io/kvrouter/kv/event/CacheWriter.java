package io.kvrouter.kv.event;

import io.kvrouter.kv.index.KvCache;
import io.kvrouter.kv.index.Tier;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Applies the events of one rank to its cache in the index, and counts what it can't apply. Used by one thread at a
 * time.
 */
public final class CacheWriter {
    private final KvCache cache;
    private final int blockSize;
    private final BooleanSupplier full;
    private final ChainSeeds seeds = new ChainSeeds();
    private final MainGroup group = new MainGroup();

    private long applied;
    private long malformed;
    private long ignored;
    private long unknownParents;
    private long wrongBlockSize;
    private long refused;
    private long unknownBlocks;

    private boolean dropped;
    private boolean orphaned;
    private boolean cleared;
    private int engineBlockSize;

    /**
     * @param cache owned by this writer from now on
     * @param blockSize tokens in a block of the partition
     * @param full whether the index has no room, beyond what it knows itself
     */
    public CacheWriter(KvCache cache, int blockSize, BooleanSupplier full) {
        this.cache = cache;
        this.blockSize = blockSize;
        this.full = full;
    }

    /** Applies one event, or drops and counts it. */
    public void apply(KvEvent event) {
        switch (event) {
            case BlocksStored stored -> onStored(stored);
            case BlocksRemoved removed -> onRemoved(removed);
            case KvEvent.AllCleared all -> {
                applied++;
                clear();
                cleared = true;
            }
            case KvEvent.Malformed bad -> {
                malformed++;
                dropped = true;
            }
            case KvEvent.Unknown unknown -> ignored++;
        }
    }

    private void onStored(BlocksStored event) {
        var tier = event.placement().tier();
        if (tier.isEmpty() || !group.admitsStored(event.placement()) || event.isEmpty()) {
            ignored++;
            return;
        }
        engineBlockSize = event.blockSize();
        if (event.blockSize() != blockSize) {
            wrongBlockSize++;
        } else if (!event.isWhole()) {
            malformed++;
            dropped = true;
        } else if (full.getAsBoolean()) {
            refuse(event);
        } else {
            store(event, tier.get());
        }
    }

    private void store(BlocksStored event, Tier tier) {
        long salt = seeds.saltOf(event);
        long[] blocks = seeds.blockHashes(event, salt);
        Long parent = event.lineage().parent();
        var stored = parent == null
                ? cache.storeFirst(tier, event.hashes(), blocks)
                : cache.storeAfter(parent, tier, event.hashes(), blocks);
        switch (stored) {
            case STORED -> {
                applied++;
                seeds.stored(event.hashes(), salt);
            }
            case UNKNOWN_PARENT -> {
                unknownParents++;
                orphaned |= !dropped;
            }
            case FULL -> refuse(event);
        }
    }

    private void refuse(BlocksStored event) {
        refused += event.hashes().length;
        dropped = true;
    }

    private void onRemoved(BlocksRemoved event) {
        var tier = event.placement().tier();
        if (tier.isEmpty() || !group.admitsRemoved(event.placement())) {
            ignored++;
            return;
        }
        applied++;
        unknownBlocks += cache.remove(tier.get(), event.hashes());
        seeds.removed(event.hashes(), cache::holds);
    }

    /** Every block leaves. What was dropped before explains no unknown parent any more. */
    public void clear() {
        cache.clear();
        seeds.clear();
        dropped = false;
        orphaned = false;
    }

    /** Gives all blocks, to be restored elsewhere in the same order. Nothing is written meanwhile. */
    public void export(Consumer<CacheChunk> sink) {
        cache.export(batch -> sink.accept(new CacheChunk(batch, seeds.of(batch))));
    }

    /** Which KV cache group counts, to go with an export. */
    public int group() {
        return group.number();
    }

    /** Begins with what another node exported; what was there leaves. */
    public void restore(List<CacheChunk> chunks, int mainGroup) {
        clear();
        group.restore(mainGroup);
        for (CacheChunk chunk : chunks) {
            dropped |= cache.restore(chunk.blocks()) != KvCache.Stored.STORED;
            seeds.restore(chunk);
        }
    }

    /** The engine was restarted: it may be another one. */
    public void newLife() {
        clear();
        group.forget();
        engineBlockSize = 0;
    }

    /** Every block leaves, for good. */
    public void close() {
        seeds.clear();
        cache.close();
    }

    /** Whether a parent was unknown since this was last asked, though nothing was dropped here: an event was lost. */
    public boolean orphaned() {
        boolean was = orphaned;
        orphaned = false;
        return was;
    }

    /** Whether the engine has reset its cache since this was last asked: nothing is missing any more. */
    public boolean cleared() {
        boolean was = cleared;
        cleared = false;
        return was;
    }

    /** The block size of the engine's events; 0 while there was none. */
    public int engineBlockSize() {
        return engineBlockSize;
    }

    /** Whether the engine's blocks have the partition's size, as far as known. */
    public boolean fits() {
        return engineBlockSize == 0 || engineBlockSize == blockSize;
    }

    /** The cache that it writes. */
    public KvCache cache() {
        return cache;
    }

    /** What became of the events so far. */
    public EventCounts counts() {
        return new EventCounts(applied, malformed, ignored, unknownParents, wrongBlockSize, refused, unknownBlocks);
    }
}
