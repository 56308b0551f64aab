package io.kvrouter.sim.engine;

/**
 * The engine at one instant.
 *
 * @param running admitted sequences
 * @param waiting queued ones
 * @param most requests that it had at a time, running and waiting, since its start
 * @param activeBlocks blocks held by running sequences
 * @param cachedBlocks blocks that a prompt could hit, held or idle
 */
public record EngineStats(int running, int waiting, int most, int activeBlocks, int cachedBlocks, Totals totals) {
    /** Of two engines together, which never had more at a time than the sum of what each had. */
    public EngineStats plus(EngineStats other) {
        return new EngineStats(
                running + other.running,
                waiting + other.waiting,
                most + other.most,
                activeBlocks + other.activeBlocks,
                cachedBlocks + other.cachedBlocks,
                totals.plus(other.totals));
    }

    /**
     * Counted since the engine's start; requests are counted at their first admission only.
     *
     * @param queriedTokens prompt tokens looked up in the prefix cache
     * @param hitTokens those found
     * @param prefillTokens prompt tokens computed, again after a preemption
     * @param generatedTokens tokens of answers
     * @param busyMs time spent in steps
     */
    public record Totals(
            long queriedTokens,
            long hitTokens,
            long prefillTokens,
            long generatedTokens,
            long evictedBlocks,
            long preemptions,
            double busyMs) {
        Totals plus(Totals other) {
            return new Totals(
                    queriedTokens + other.queriedTokens,
                    hitTokens + other.hitTokens,
                    prefillTokens + other.prefillTokens,
                    generatedTokens + other.generatedTokens,
                    evictedBlocks + other.evictedBlocks,
                    preemptions + other.preemptions,
                    busyMs + other.busyMs);
        }
    }
}
