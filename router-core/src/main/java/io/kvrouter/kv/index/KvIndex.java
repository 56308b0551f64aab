package io.kvrouter.kv.index;

import java.util.Arrays;
import java.util.BitSet;

/**
 * All caches of one partition (routing group and base model) with one block size: who holds which prefix.
 *
 * <p>Writers lock, one event at a time; readers never do, and allocate nothing. A walk sees each piece of a chain as it
 * was at one moment, and different pieces at different moments.
 */
public final class KvIndex {
    private static final int BYTES_PER_NEW_BLOCK = 32;

    /** Held by whoever writes. */
    final Object lock = new Object();

    /** The writers' part, but for its heads: those are looked for without the lock. */
    final RunTree tree;

    private final long maxBytes;
    private final long multiplier;
    private final BitSet numbers = new BitSet();
    private long cacheBytes;
    private long blocks;
    private long refused;

    /**
     * @param maxBytes what the index may take of the heap; blocks beyond are refused
     * @param hashSeed random, so that nobody outside knows which blocks fall together in its tables
     */
    public KvIndex(long maxBytes, long hashSeed) {
        if (maxBytes <= 0) {
            throw new IllegalArgumentException("bytes of the index: " + maxBytes + " (expected: > 0)");
        }
        this.maxBytes = maxBytes;
        this.multiplier = (hashSeed ^ 0x9E3779B97F4A7C15L) | 1;
        this.tree = new RunTree(multiplier);
    }

    /** A cache of one worker rank, empty. */
    public KvCache open() {
        synchronized (lock) {
            int number = numbers.nextClearBit(0);
            numbers.set(number);
            return new KvCache(this, tree, number, multiplier);
        }
    }

    void closed(int number) {
        numbers.clear(number);
    }

    /**
     * How many blocks of the chain each cache holds, from its start.
     *
     * @param chain sequence hashes of the prompt's full blocks
     * @param into gets the answer; belongs to the calling thread
     */
    public void overlaps(long[] chain, Overlaps into) {
        into.begin();
        int at = 0;
        while (at < chain.length) {
            Run run = tree.heads.find(chain[at]);
            if (run == null) {
                break;
            }
            Run.State state = run.state;
            int different = Arrays.mismatch(state.hashes, 0, state.length, chain, at, chain.length);
            int same = different < 0 ? state.length : different;
            for (int i = 0, low = 0; low < same; i++) {
                low = Math.min(state.ends[i], same);
                if (!into.meet(state.sets[i], at + low)) {
                    into.end();
                    return;
                }
            }
            at += same;
        }
        into.end();
    }

    /** What the index takes of the heap, by its own account. */
    public long bytes() {
        synchronized (lock) {
            return tree.bytes() + cacheBytes;
        }
    }

    /** Blocks held, each counted once for every cache that holds it. */
    public long blocks() {
        synchronized (lock) {
            return blocks;
        }
    }

    /** Pieces of chains that it is made of. */
    public long runs() {
        synchronized (lock) {
            return tree.runs();
        }
    }

    /** Blocks that were refused because the index was full. */
    public long refusedBlocks() {
        synchronized (lock) {
            return refused;
        }
    }

    /** About how many blocks it can still take. */
    long room() {
        return Math.max(0, (maxBytes - bytes()) / BYTES_PER_NEW_BLOCK);
    }

    void refused(int count) {
        refused += count;
    }

    void account(long moreBytes, long moreBlocks) {
        cacheBytes += moreBytes;
        blocks += moreBlocks;
    }
}
