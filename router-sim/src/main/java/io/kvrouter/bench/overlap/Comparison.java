package io.kvrouter.bench.overlap;

/**
 * One request: what the router said, and what the engine found.
 *
 * @param turn of its conversation, from 0
 * @param worker that served it
 * @param overlapTokens as the router predicted
 * @param cachedTokens as the engine reported
 * @param inFlight other requests under way when it was sent
 */
public record Comparison(
        int conversation,
        int turn,
        String worker,
        long promptTokens,
        long overlapTokens,
        long cachedTokens,
        int inFlight) {
    public boolean equal() {
        return overlapTokens == cachedTokens;
    }
}
