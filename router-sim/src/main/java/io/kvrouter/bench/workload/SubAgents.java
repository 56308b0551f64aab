package io.kvrouter.bench.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * Sub-agents of a synthetic session: 2 to 8 side by side, each with a fresh context that only grows. Lengths, growth,
 * answers and pauses are fitted to the 63 runs of sub-agents that were recorded in 676 sessions.
 */
final class SubAgents {
    private static final int LEAST = 2;
    private static final int MOST = 8;
    private static final int LEAST_TURNS = 2;
    private static final int MOST_TURNS = 30;
    private static final int MOST_GROWTH = 60_000;
    private static final int MOST_TOKENS = 258_000;
    private static final int MOST_OUTPUT = 20_000;
    /** What of their prompt is their system prompt and tools: 8,200 of 10,300 tokens. */
    private static final int SYSTEM_BLOCKS = 128;

    private final Draws draws;
    private final BlockNumbers numbers;
    private final SystemPrompts prompts;

    SubAgents(Draws draws, BlockNumbers numbers, SystemPrompts prompts) {
        this.draws = draws;
        this.numbers = numbers;
        this.prompts = prompts;
    }

    /** The turns of each of those that are spawned together. */
    List<List<SessionTurn>> spawn() {
        List<List<SessionTurn>> all = new ArrayList<>();
        for (int left = LEAST + draws.integer(MOST - LEAST + 1); left > 0; left--) {
            all.add(one());
        }
        return all;
    }

    private List<SessionTurn> one() {
        int length = (int) Math.clamp(Math.round(draws.logNormal(10, 0.5)), (long) LEAST_TURNS, (long) MOST_TURNS);
        var blocks = new PromptBlocks(numbers);
        prompts.draw(draws, SYSTEM_BLOCKS).ifPresent(blocks::begin);
        int tokens = (int) draws.logNormal(10_335, 0.15);
        List<SessionTurn> turns = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            double think = i == 0 ? 0 : draws.logNormal(4, 0.94);
            blocks.become(tokens / SessionTurn.BLOCK_TOKENS, Integer.MAX_VALUE);
            int output = (int) Math.clamp(draws.logNormal(235, 0.85), 1.0, (double) MOST_OUTPUT);
            turns.add(new SessionTurn(blocks.runs(), tokens, output, think));
            tokens = (int) Math.min(MOST_TOKENS, tokens + Math.min(MOST_GROWTH, draws.logNormal(2_531, 1.29)));
        }
        return turns;
    }
}
