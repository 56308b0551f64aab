package io.kvrouter.bench.workload;

import com.carrotsearch.hppc.IntIntHashMap;

/**
 * What a cache without bounds would have of one session's prompts: the ideal that no router can exceed. As in an engine
 * a block counts only behind the one that it followed before, and a prompt's last token is always computed.
 */
public final class InfiniteCache {
    private static final int START = -1;
    private static final int NEVER_SEEN = -2;

    private final IntIntHashMap parents = new IntIntHashMap();
    private final IntIntHashMap shared;

    public InfiniteCache() {
        this.shared = new IntIntHashMap();
    }

    /** Of another session that is served by the same workers: it has the shared blocks that the other one has. */
    public InfiniteCache(InfiniteCache other) {
        this.shared = other.shared;
    }

    /** Tokens of this prompt that were in one before; it is in the cache from now on. */
    public int hit(SessionTurn turn) {
        int limit = (turn.promptTokens() - 1) / SessionTurn.BLOCK_TOKENS;
        int parent = START;
        int hits = 0;
        boolean holds = true;
        for (BlockRun run : turn.blocks()) {
            IntIntHashMap seen = run.isShared() ? shared : parents;
            for (int block = run.first(); block < run.first() + run.count(); block++) {
                holds = holds && seen.getOrDefault(block, NEVER_SEEN) == parent;
                hits += holds ? 1 : 0;
                if (!holds) {
                    seen.put(block, parent);
                }
                parent = block;
            }
        }
        return Math.min(hits, limit) * SessionTurn.BLOCK_TOKENS;
    }
}
