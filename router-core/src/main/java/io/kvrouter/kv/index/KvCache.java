package io.kvrouter.kv.index;

import io.kvrouter.kv.BlockHashes;
import org.jspecify.annotations.Nullable;

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
    private final EngineMap places;
    private final Repeats repeats = new Repeats();
    private long blocks;
    private boolean refusing;
    private boolean open = true;
    private long countedBytes;
    private long countedBlocks;

    KvCache(KvIndex index, RunTree tree, int number, long multiplier) {
        this.index = index;
        this.tree = tree;
        this.number = number;
        this.places = new EngineMap(multiplier);
    }

    /** Its number in {@link Overlaps}: dense, and used again after {@link #close()}. */
    public int number() {
        return number;
    }

    /** Blocks that it holds, each counted once, in whatever tiers and under however many hashes. */
    public long blocks() {
        synchronized (index.lock) {
            return blocks;
        }
    }

    /** Blocks from the start of a prompt are now in the tier. The arrays are equally long. */
    public Stored storeFirst(Tier tier, long[] engineHashes, long[] blockHashes) {
        check(engineHashes, blockHashes);
        long[] chain = BlockHashes.chain(blockHashes);
        synchronized (index.lock) {
            return settled(store(null, 0, tier.bit(), engineHashes, chain));
        }
    }

    /**
     * Blocks that follow a parent are now in the tier.
     *
     * @param parent the engine's hash of the block before the first
     * @param blockHashes the hashes of the blocks' own content
     */
    public Stored storeAfter(long parent, Tier tier, long[] engineHashes, long[] blockHashes) {
        check(engineHashes, blockHashes);
        synchronized (index.lock) {
            long place = places.get(parent);
            if (place == 0) {
                return orphaned(engineHashes.length);
            }
            Run run = tree.run(EngineMap.run(place));
            int next = EngineMap.offset(place) + 1;
            long[] chain = BlockHashes.chainAfter(run.state.hashes[next - 1], blockHashes);
            return settled(store(run, next, tier.bit(), engineHashes, chain));
        }
    }

    private void check(long[] engineHashes, long[] blockHashes) {
        if (engineHashes.length != blockHashes.length) {
            throw new IllegalArgumentException("hashes: " + engineHashes.length + " of the engine's, "
                    + blockHashes.length + " of blocks (expected: equally many)");
        }
        if (!open) {
            throw new IllegalStateException("cache " + number + " is closed");
        }
    }

    /** Stores a chain where a run goes on at an offset, or as the first of a prompt where there is no run. */
    private Stored store(@Nullable Run parent, int offset, int tiers, long[] engineHashes, long[] chain) {
        int room = (int) Math.min(chain.length, index.room());
        Run run = parent;
        int next = offset;
        for (int from = 0; from < room; from += tree.count()) {
            tree.locate(run, next, chain, from, room);
            run = tree.found();
            next = tree.offset() + tree.count();
            if (tiers != 0) {
                enter(run, EngineMap.value(run.id, tree.offset(), tiers), engineHashes, from, tree.count());
            }
        }
        if (room < chain.length) {
            refusing = true;
            index.refused(chain.length - room);
            return Stored.FULL;
        }
        return Stored.STORED;
    }

    /** Enters neighbouring blocks, the first with the given value; the run hears of those that are new in a tier. */
    private void enter(Run run, long value, long[] engineHashes, int from, int count) {
        int first = EngineMap.offset(value);
        int begun = first;
        int fresh = 0;
        for (int i = 0; i < count; i++) {
            long here = value + ((long) i << HolderSet.TIER_BITS);
            long before = places.add(engineHashes[from + i], here);
            if (before != 0 && EngineMap.place(before) != EngineMap.place(here)) {
                hold(run, begun, first + i, fresh);
                begun = first + i;
                leave(engineHashes[from + i], before); // the engine uses its hash for another block now
                before = places.add(engineHashes[from + i], here);
            }
            int tiers = EngineMap.tiers(value) & ~EngineMap.tiers(before);
            if (tiers != fresh) {
                hold(run, begun, first + i, fresh);
                begun = first + i;
                fresh = tiers;
            }
        }
        hold(run, begun, first + count, fresh);
    }

    private void hold(Run run, int from, int to, int tiers) {
        if (tiers != 0 && from < to) {
            tree.add(this, tiers, run, from, to);
        }
    }

    private void leave(long engineHash, long value) {
        places.drop(engineHash, HolderSet.TIERS);
        int tiers = EngineMap.tiers(value);
        for (Tier tier : Tier.values()) {
            if ((tiers & tier.bit()) != 0 && repeats.take(EngineMap.place(value), tier)) {
                tiers &= ~tier.bit();
            }
        }
        int offset = EngineMap.offset(value);
        tree.remove(this, tiers, tree.run(EngineMap.run(value)), offset, offset + 1);
    }

    /** Blocks left the tier. Returns how many of them were not there; the others are removed all the same. */
    public int remove(Tier tier, long[] engineHashes) {
        int unknown = 0;
        synchronized (index.lock) {
            long from = 0; // neighbours leave together: the places from here, up to but without the other
            long to = 0;
            for (long engineHash : engineHashes) {
                long before = places.drop(engineHash, tier.bit());
                if ((before & tier.bit()) == 0) {
                    unknown++;
                    continue;
                }
                long place = EngineMap.place(before);
                if (repeats.take(place, tier)) {
                    continue;
                }
                if (place == to && place % Run.MAX != 0) {
                    to++;
                } else if (place == from - 1 && from % Run.MAX != 0) {
                    from--;
                } else {
                    release(from, to, tier);
                    from = place;
                    to = place + 1;
                }
            }
            release(from, to, tier);
            settle();
        }
        return unknown;
    }

    private void release(long from, long to, Tier tier) {
        if (from < to) {
            int first = (int) (from % Run.MAX);
            tree.remove(this, tier.bit(), tree.run((int) (from / Run.MAX)), first, first + (int) (to - from));
        }
    }

    /** All blocks leave, the cache stays. */
    public void clear() {
        synchronized (index.lock) {
            int operation = tree.nextOperation();
            places.forEach((engineHash, value) -> {
                Run run = tree.run(EngineMap.run(value));
                if (run.mark != operation) {
                    run.mark = operation;
                    tree.remove(this, HolderSet.TIERS, run, 0, run.state.length);
                }
            });
            places.clear();
            repeats.clear();
            refusing = false;
            settle();
        }
    }

    /** All blocks leave, and the number is free for another cache. */
    public void close() {
        synchronized (index.lock) {
            if (open) {
                clear();
                open = false;
                index.closed(this);
            }
        }
    }

    /** Whether a block is held under this engine hash, in whatever tier. */
    public boolean holds(long engineHash) {
        synchronized (index.lock) {
            return places.get(engineHash) != 0;
        }
    }

    /**
     * Gives its blocks to a sink, parents before children, in batches that are restored in the same order. Counts as
     * its writer: nothing may be stored or removed meanwhile. Other caches' writers need not wait.
     */
    public void export(BlockSink sink) {
        new CacheExport(index.lock, tree, sink).run(places);
    }

    /** Takes a batch that another node exported. What is there already stays. */
    public Stored restore(BlockBatch batch) {
        synchronized (index.lock) {
            Stored result = Stored.STORED;
            boolean placed = false; // whether the row before is there
            for (int row = 0, end; row < batch.rows(); row = end) {
                end = batch.endOfPiece(row);
                if (!batch.follows(row)) {
                    placed = batch.isRoot(row) || places.get(batch.parent(row)) != 0;
                }
                Stored stored = placed ? restore(batch, row, end) : orphaned(end - row);
                placed = stored == Stored.STORED;
                result = placed ? result : stored;
            }
            return settled(result);
        }
    }

    private Stored restore(BlockBatch batch, int from, int to) {
        Run run = null;
        int next = 0;
        if (batch.follows(from)) {
            run = tree.found();
            next = tree.offset() + tree.count();
        } else if (!batch.isRoot(from)) {
            long parent = places.get(batch.parent(from));
            run = tree.run(EngineMap.run(parent));
            next = EngineMap.offset(parent) + 1;
        }
        return store(run, next, batch.tiers(from), batch.engineHashes(from, to), batch.sequenceHashes(from, to));
    }

    private Stored orphaned(int count) {
        index.refused(refusing ? count : 0);
        return refusing ? Stored.FULL : Stored.UNKNOWN_PARENT;
    }

    /** Told by the tree: neighbouring blocks are held in tiers, and had been in others. */
    void added(Run run, int from, int to, int tiers, int before) {
        if (before == 0) {
            blocks += to - from;
        }
        for (Tier tier : Tier.values()) {
            if ((tiers & before & tier.bit()) != 0) {
                for (int offset = from; offset < to; offset++) {
                    repeats.add(EngineMap.place(EngineMap.value(run.id, offset, 0)), tier);
                }
            }
        }
    }

    /** Told by the tree: blocks with the same tiers leave some of them. */
    void removed(int count, int tiers, int before) {
        if (before != 0 && (before & ~tiers) == 0) {
            blocks -= count;
        }
    }

    private Stored settled(Stored stored) {
        settle();
        return stored;
    }

    private void settle() {
        tree.settle();
        long bytes = places.bytes() + repeats.bytes();
        index.account(bytes - countedBytes, blocks - countedBlocks);
        countedBytes = bytes;
        countedBlocks = blocks;
    }
}
