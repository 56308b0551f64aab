package io.kvrouter.kv.index;

import com.carrotsearch.hppc.LongIntHashMap;
import io.kvrouter.kv.BlockHashes;
import io.kvrouter.kv.index.KvCache.Stored;
import org.jspecify.annotations.Nullable;

/**
 * What one cache holds, by the engine's hashes: the writer's side of {@link KvCache}, under the index's lock. Each block
 * is in the map, in the interval of its run, and counted.
 */
final class HeldBlocks {
    private static final int REPEAT_BYTES = 40;

    private final KvIndex index;
    private final RunTree tree;
    private final int cache;
    private final EngineMap places;

    /**
     * Place and tier -> hashes of the engine's beyond the first. Rare: engines hash more than the tokens, and so may
     * have several hashes where the index has one block.
     */
    private @Nullable LongIntHashMap repeats;

    private long blocks;

    /** Blocks were refused, so that an unknown parent is no sign of a lost event. Until the cache is cleared. */
    private boolean refusing;

    HeldBlocks(KvIndex index, RunTree tree, int cache, long multiplier) {
        this.index = index;
        this.tree = tree;
        this.cache = cache;
        this.places = new EngineMap(multiplier);
    }

    EngineMap places() {
        return places;
    }

    long blocks() {
        return blocks;
    }

    long bytes() {
        return places.bytes() + (repeats == null ? 0 : (long) REPEAT_BYTES * repeats.size());
    }

    Stored storeAfter(long parent, int tiers, long[] engineHashes, long[] blockHashes) {
        long place = places.get(parent);
        if (place == 0) {
            return orphaned(engineHashes.length);
        }
        Run run = tree.run(EngineMap.run(place));
        int next = EngineMap.offset(place) + 1;
        long[] chain = BlockHashes.chainAfter(run.state.hashes[next - 1], blockHashes);
        return store(run, next, tiers, engineHashes, chain);
    }

    /**
     * Stores a chain.
     *
     * @param parent the run of the parent; null where the first is the first of a prompt
     * @param offset after the parent's
     * @param tiers none: the blocks are made, but not held
     */
    Stored store(@Nullable Run parent, int offset, int tiers, long[] engineHashes, long[] chain) {
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

    private Stored orphaned(int count) {
        index.refused(refusing ? count : 0);
        return refusing ? Stored.FULL : Stored.UNKNOWN_PARENT;
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
            if ((tiers & tier.bit()) != 0 && takeRepeat(EngineMap.place(value), tier)) {
                tiers &= ~tier.bit();
            }
        }
        int offset = EngineMap.offset(value);
        tree.remove(this, tiers, tree.run(EngineMap.run(value)), offset, offset + 1);
    }

    /** Returns how many were not in the tier. */
    int remove(Tier tier, long[] engineHashes) {
        int unknown = 0;
        long from = 0; // neighbours leave together: the places from here, up to but without the other
        long to = 0;
        for (long engineHash : engineHashes) {
            long before = places.drop(engineHash, tier.bit());
            long place = EngineMap.place(before);
            if ((before & tier.bit()) == 0) {
                unknown++;
            } else if (!takeRepeat(place, tier)) {
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
        }
        release(from, to, tier);
        return unknown;
    }

    private void release(long from, long to, Tier tier) {
        if (from < to) {
            int first = (int) (from % Run.MAX);
            tree.remove(this, tier.bit(), tree.run((int) (from / Run.MAX)), first, first + (int) (to - from));
        }
    }

    void clear() {
        int operation = tree.nextOperation();
        places.forEach((engineHash, value) -> {
            Run run = tree.run(EngineMap.run(value));
            if (run.mark != operation) {
                run.mark = operation;
                tree.remove(this, HolderSet.TIERS, run, 0, run.state.length);
            }
        });
        places.clear();
        repeats = null;
        refusing = false;
    }

    /** The rows whose parent is refused or unknown are left out. */
    Stored restore(BlockBatch batch) {
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
        return result;
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

    int cache() {
        return cache;
    }

    /** Told by the tree: neighbouring blocks are held in tiers, and had been in others. */
    void added(Run run, int from, int to, int tiers, int before) {
        if (before == 0) {
            blocks += to - from;
        }
        for (Tier tier : Tier.values()) {
            if ((tiers & before & tier.bit()) != 0) {
                for (int offset = from; offset < to; offset++) {
                    addRepeat(EngineMap.place(EngineMap.value(run.id, offset, 0)), tier);
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

    private void addRepeat(long place, Tier tier) {
        if (repeats == null) {
            repeats = new LongIntHashMap();
        }
        repeats.addTo(repeatKey(place, tier), 1);
    }

    /** Whether another hash of the engine's still stands for the block in the tier; if so it is one less. */
    private boolean takeRepeat(long place, Tier tier) {
        long key = repeatKey(place, tier);
        if (repeats == null || !repeats.containsKey(key)) {
            return false;
        }
        if (repeats.addTo(key, -1) == 0) {
            repeats.remove(key);
        }
        if (repeats.isEmpty()) {
            repeats = null;
        }
        return true;
    }

    private static long repeatKey(long place, Tier tier) {
        return (place << HolderSet.TIER_BITS) | tier.depth();
    }
}
