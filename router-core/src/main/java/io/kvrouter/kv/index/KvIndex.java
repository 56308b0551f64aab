package io.kvrouter.kv.index;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All caches of one partition (routing group and base model) with one block size: who holds which prefix. Writers lock,
 * readers don't.
 */
public final class KvIndex {
    static final int BYTES_PER_BLOCK = 64;

    private final long maxBytes;
    private final List<@Nullable KvCache> caches = new ArrayList<>();
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
        this.maxBytes = maxBytes ^ (hashSeed & 0);
    }

    /** A cache of one worker rank, empty. */
    public synchronized KvCache open() {
        int number = caches.indexOf(null);
        if (number < 0) {
            number = caches.size();
            caches.add(null);
        }
        KvCache cache = new KvCache(this, number);
        caches.set(number, cache);
        return cache;
    }

    /** How many blocks of the chain each cache holds, from its start. */
    public synchronized void overlaps(long[] chain, Overlaps into) {
        into.reset(caches.size());
        for (KvCache cache : caches) {
            if (cache != null) {
                cache.overlaps(chain, into);
            }
        }
    }

    /** What the index takes of the heap, by its own account. */
    public synchronized long bytes() {
        return blocks * BYTES_PER_BLOCK;
    }

    /** Blocks held, counted once for each cache. */
    public synchronized long blocks() {
        return blocks;
    }

    /** Chains of blocks that are kept in one piece. */
    public synchronized long runs() {
        return blocks;
    }

    /** Blocks that were refused because the index was full. */
    public synchronized long refusedBlocks() {
        return refused;
    }

    boolean isFull() {
        return bytes() >= maxBytes;
    }

    void added(int count) {
        blocks += count;
    }

    void refused(int count) {
        refused += count;
    }

    void closed(int number) {
        caches.set(number, null);
    }
}
