package io.kvrouter.kv.recent;

import com.carrotsearch.hppc.LongObjectHashMap;
import io.kvrouter.kv.Chain;
import io.kvrouter.kv.DenseNumbers;
import io.kvrouter.kv.index.ActivePrompts;
import java.util.function.LongPredicate;

/**
 * The overlap that is known from this node's own recent choices: which prompts it sent to which worker. It stands in
 * for the KV events of an engine that has none, or whose tokens are not known.
 *
 * <p>A prompt is forgotten after a time of disuse, and from the least recently used on when a worker's hold more blocks
 * than its KV cache. What is remembered is the sample of its blocks (see {@link Chain}).
 */
public final class RecentPrompts {
    private final long disuseMs;
    private final ActivePrompts prompts = new ActivePrompts();
    private final DenseNumbers numbers = new DenseNumbers();
    private final LongObjectHashMap<RecentCache> workers = new LongObjectHashMap<>();

    public RecentPrompts(long disuseMs) {
        if (disuseMs <= 0) {
            throw new IllegalArgumentException("disuse: " + disuseMs + " ms (expected: > 0)");
        }
        this.disuseMs = disuseMs;
    }

    /** What is remembered of one worker key. Valid until {@link #retain} drops the worker. */
    public RecentCache of(long worker) {
        RecentCache cache = workers.get(worker);
        if (cache == null) {
            cache = new RecentCache(numbers.take(), prompts);
            workers.put(worker, cache);
        }
        return cache;
    }

    /** A prompt goes to the worker, whose KV cache holds so many blocks. */
    public void remember(long worker, Chain chain, long capacity, long now) {
        RecentCache cache = of(worker);
        cache.forgetBefore(now - disuseMs);
        cache.touch(chain, now);
        cache.forgetBeyond(capacity);
    }

    /** Drops every worker that is gone. */
    public void retain(LongPredicate present) {
        for (var worker : workers) {
            if (!present.test(worker.key)) {
                worker.value.forgetBeyond(0);
                numbers.giveBack(worker.value.number());
            }
        }
        workers.removeAll(worker -> !present.test(worker));
    }

    /** Forgets what has not been used for the time of disuse. */
    public void sweep(long now) {
        for (var worker : workers) {
            worker.value.forgetBefore(now - disuseMs);
        }
    }

    /** The sampled prompts of all workers. */
    public ActivePrompts prompts() {
        return prompts;
    }

    /** Blocks remembered for all workers. */
    public long size() {
        long size = 0;
        for (var worker : workers) {
            size += worker.value.blocks();
        }
        return size;
    }
}
