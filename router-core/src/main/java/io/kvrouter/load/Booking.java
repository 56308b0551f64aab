package io.kvrouter.load;

import io.kvrouter.kv.Chain;

/**
 * What one request puts on a worker. While the prompt's blocks are not known their number is estimated; known ones are
 * named by their chain, so that blocks which requests share count once.
 */
public final class Booking {
    private final long prefillTokens;
    private final long cachedTokens;
    private final Chain chain;
    private final long estimatedBlocks;
    private final boolean known;

    private Booking(long prefillTokens, long cachedTokens, Chain chain, long estimatedBlocks, boolean known) {
        if (prefillTokens < 0 || cachedTokens < 0 || estimatedBlocks < 0) {
            throw new IllegalArgumentException(
                    "booking: " + prefillTokens + ", " + cachedTokens + ", " + estimatedBlocks + " (expected: >= 0)");
        }
        this.prefillTokens = prefillTokens;
        this.cachedTokens = cachedTokens;
        this.chain = chain;
        this.estimatedBlocks = estimatedBlocks;
        this.known = known;
    }

    /** A prompt of which so many tokens must be prefilled, so many are cached, in these blocks. */
    public static Booking known(long prefillTokens, long cachedTokens, Chain chain) {
        return new Booking(prefillTokens, cachedTokens, chain, 0, true);
    }

    /** A prompt that was not looked into. */
    public static Booking estimated(long prefillTokens, long cachedTokens, long blocks) {
        return new Booking(prefillTokens, cachedTokens, Chain.EMPTY, blocks, false);
    }

    public long prefillTokens() {
        return prefillTokens;
    }

    public long cachedTokens() {
        return cachedTokens;
    }

    /** Whether the prompt was looked into. */
    public boolean isKnown() {
        return known;
    }

    Chain chain() {
        return chain;
    }

    long estimatedBlocks() {
        return estimatedBlocks;
    }
}
