package io.kvrouter.http.tokenizer;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of parts of prompts, so that a conversation's next turn tokenizes only what is new in it.
 *
 * <p>Keyed by a 128-bit hash: no prompt is kept. Bounded in bytes, the least useful goes first; shared by all models of
 * a node and safe for use by several threads.
 */
public final class SegmentCache {
    /** What an entry costs beside its tokens: key, node, headers of objects. */
    private static final int ENTRY_BYTES = 160;

    private final Cache<HashValue128, int[]> tokens;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    /**
     * How it does.
     *
     * @param hits parts that were known
     * @param misses parts that had to be tokenized
     * @param bytes what is kept now
     */
    public record Counts(long hits, long misses, long bytes) {}

    /** @param maxBytes what it may keep; 0 = nothing */
    public SegmentCache(long maxBytes) {
        this.tokens = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((HashValue128 key, int[] value) ->
                        Math.toIntExact(Math.min(Integer.MAX_VALUE, ENTRY_BYTES + (long) Integer.BYTES * value.length)))
                .executor(Runnable::run)
                .build();
    }

    int @Nullable [] get(HashValue128 text) {
        int[] known = tokens.getIfPresent(text);
        (known == null ? misses : hits).increment();
        return known;
    }

    void put(HashValue128 text, int[] ids) {
        tokens.put(text, ids);
    }

    /** Counts since the start, and what is kept now. */
    public Counts counts() {
        long bytes = tokens.policy().eviction().stream()
                .mapToLong(eviction -> eviction.weightedSize().orElse(0))
                .sum();
        return new Counts(hits.sum(), misses.sum(), bytes);
    }
}
