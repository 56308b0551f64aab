package io.kvrouter.kv;

import com.carrotsearch.hppc.LongObjectHashMap;
import java.util.function.LongPredicate;

/**
 * The overlap that is known from this node's own recent choices: which blocks of prompts it sent to which worker. It
 * stands in for an engine's KV events until they arrive, or where there are none.
 *
 * <p>A worker's blocks are forgotten after a time of disuse, and from the least recently used on when there are more
 * than its KV cache holds. Prompts are remembered from their last block to their first: so a block is never forgotten
 * before its children, and the known part of a prompt is always a prefix.
 */
public final class RecentPrompts {
    private final long disuseMs;
    private final LongObjectHashMap<RecentKeys> workers = new LongObjectHashMap<>();

    public RecentPrompts(long disuseMs) {
        if (disuseMs <= 0) {
            throw new IllegalArgumentException("disuse: " + disuseMs + " ms (expected: > 0)");
        }
        this.disuseMs = disuseMs;
    }

    /** The blocks of one worker key, to read. Valid until {@link #retain} drops the worker. */
    public RecentKeys of(long worker) {
        RecentKeys blocks = workers.get(worker);
        if (blocks == null) {
            blocks = new RecentKeys();
            workers.put(worker, blocks);
        }
        return blocks;
    }

    /** How many blocks of the chain, from its start, are known to have been sent to the worker. */
    public int overlap(RecentKeys blocks, long[] chain, long now) {
        blocks.forgetBefore(now - disuseMs);
        return blocks.prefixOf(chain);
    }

    /** A prompt goes to the worker, whose KV cache holds so many blocks. */
    public void remember(long worker, long[] chain, long capacity, long now) {
        RecentKeys blocks = of(worker);
        blocks.forgetBefore(now - disuseMs);
        for (int i = (int) Math.min(chain.length, capacity) - 1; i >= 0; i--) {
            blocks.touch(chain[i], now);
        }
        blocks.forgetBeyond(capacity);
    }

    /** Drops every worker that is gone. */
    public void retain(LongPredicate present) {
        workers.removeAll(worker -> !present.test(worker));
    }

    /** Forgets what has not been used for the time of disuse. */
    public void sweep(long now) {
        for (var worker : workers) {
            worker.value.forgetBefore(now - disuseMs);
        }
    }

    /** Blocks remembered for all workers. */
    public long size() {
        long size = 0;
        for (var worker : workers) {
            size += worker.value.size();
        }
        return size;
    }
}
