package io.kvrouter.sim.engine;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongIntHashMap;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * The engine's KV memory: blocks that are empty, held by running sequences, or cached and idle.
 *
 * <p>Invariants: a held block is never evicted; a hash is cached in at most one block; a cached block's parent is cached
 * too, because holders of a block hold its parent, and a sequence's tail is released, and so evicted, before its head.
 * Every operation is O(1) a block.
 */
final class BlockPool {
    private static final int NONE = -1;

    private final long[] hashes;
    private final long[] names;
    private final boolean[] cached;
    private final int[] holders;
    private final IdleBlocks idle;
    private final IntArrayList empty;
    private final LongIntHashMap byHash = new LongIntHashMap();
    private final RandomGenerator random;
    private final KvJournal journal;
    private long evicted;

    /** @param random the source of the names under which blocks are published */
    BlockPool(int blocks, RandomGenerator random, KvJournal journal) {
        this.random = random;
        this.journal = journal;
        hashes = new long[blocks];
        names = new long[blocks];
        cached = new boolean[blocks];
        holders = new int[blocks];
        idle = new IdleBlocks(blocks);
        empty = new IntArrayList(blocks);
        for (int block = blocks - 1; block >= 0; block--) {
            empty.add(block);
        }
    }

    /** The block that caches this hash, or -1. */
    int find(long hash) {
        return byHash.getOrDefault(hash, NONE);
    }

    boolean isIdle(int block) {
        return holders[block] == 0;
    }

    /** One more sequence uses a cached block: it can't be evicted until released as often. */
    void hold(int block) {
        if (holders[block]++ == 0) {
            idle.remove(block);
        }
    }

    /** An unwritten block for one holder; evicts the least recently used idle one if none is empty. */
    int allocate() {
        int block = empty.isEmpty() ? evict() : empty.removeLast();
        holders[block] = 1;
        return block;
    }

    /**
     * The held block at this place of a sequence is full: from now on it can be found by its hash. If the same content
     * is cached already, that block takes its place in the sequence, and nothing is new.
     */
    void publish(IntArrayList blocks, int index, EngineRequest request) {
        int block = blocks.get(index);
        long hash = request.blockHash(index);
        int twin = find(hash);
        if (twin == NONE) {
            hashes[block] = hash;
            names[block] = random.nextLong();
            cached[block] = true;
            byHash.put(hash, block);
            OptionalLong parent = index == 0 ? OptionalLong.empty() : OptionalLong.of(names[blocks.get(index - 1)]);
            journal.stored(request, index, names[block], parent);
        } else if (twin != block) {
            hold(twin);
            release(block);
            blocks.set(index, twin);
        }
    }

    /** A sequence lets go of its blocks, given head first: the tail becomes idle first and is evicted first. */
    void releaseAll(IntArrayList blocks) {
        for (int i = blocks.size() - 1; i >= 0; i--) {
            release(blocks.get(i));
        }
        blocks.elementsCount = 0;
    }

    /** Blocks that {@link #allocate} can still give. */
    int available() {
        return empty.size() + idle.size();
    }

    int active() {
        return holders.length - available();
    }

    /** Blocks that can be found by their hash, held or idle. */
    int cached() {
        return byHash.size();
    }

    long evicted() {
        return evicted;
    }

    private void release(int block) {
        if (--holders[block] > 0) {
            return;
        }
        if (cached[block]) {
            idle.addLast(block);
        } else {
            empty.add(block);
        }
    }

    private int evict() {
        int block = idle.first();
        idle.remove(block);
        byHash.remove(hashes[block]);
        cached[block] = false;
        journal.removed(names[block]);
        evicted++;
        return block;
    }
}
