package io.kvrouter.bench.workload;

import java.util.List;

/**
 * One turn of a session, in tokens of the modelled engine.
 *
 * @param blocks the prompt's full blocks of {@link #BLOCK_TOKENS} tokens; what is left of it is in no other prompt
 * @param promptTokens the whole prompt
 * @param outputTokens the answer
 * @param thinkSeconds from the end of the answer before until this turn
 * @param agents what sub-agents ask before this turn, side by side: the turns of each, one after the other. Their blocks
 *     have the numbers of the session; this turn comes when all have ended
 */
public record SessionTurn(
        List<BlockRun> blocks,
        int promptTokens,
        int outputTokens,
        double thinkSeconds,
        List<List<SessionTurn>> agents) {
    public static final int BLOCK_TOKENS = 64;

    /** A turn before which no sub-agent runs. */
    public SessionTurn(List<BlockRun> blocks, int promptTokens, int outputTokens, double thinkSeconds) {
        this(blocks, promptTokens, outputTokens, thinkSeconds, List.of());
    }

    public SessionTurn {
        blocks = List.copyOf(blocks);
        agents = List.copyOf(agents);
        if (promptTokens < 1 || outputTokens < 1 || !(thinkSeconds >= 0)) {
            throw new IllegalArgumentException("turn: " + promptTokens + " prompt, " + outputTokens + " output tokens, "
                    + thinkSeconds + " s (expected: >= 1, >= 1, >= 0)");
        }
        if ((long) count(blocks) * BLOCK_TOKENS > promptTokens) {
            throw new IllegalArgumentException(
                    "turn: " + count(blocks) + " blocks (expected: at most those of " + promptTokens + " tokens)");
        }
    }

    public int blockCount() {
        return count(blocks);
    }

    private static int count(List<BlockRun> blocks) {
        return blocks.stream().mapToInt(BlockRun::count).sum();
    }
}
