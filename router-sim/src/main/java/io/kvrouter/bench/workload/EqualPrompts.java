package io.kvrouter.bench.workload;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Single prompts of one length that have nothing in common: what decides about their worker is load alone. Answers are
 * as long as those of the synthetic sessions, and the next prompt of a lane comes after an exponential pause.
 */
public final class EqualPrompts implements SessionSource {
    private static final double MEAN_PAUSE_S = 5;

    private final int tokens;

    /** @param tokens of each prompt */
    public EqualPrompts(int tokens) {
        if (tokens < 1) {
            throw new IllegalArgumentException("equal-prompts: " + tokens + " (expected: at least 1)");
        }
        this.tokens = tokens;
    }

    @Override
    public String title() {
        return "single prompts of " + tokens + " tokens with nothing in common";
    }

    @Override
    public Session next(RandomGenerator random) {
        int blocks = tokens / SessionTurn.BLOCK_TOKENS;
        List<BlockRun> runs = blocks == 0 ? List.of() : List.of(new BlockRun(0, blocks));
        double pause = -MEAN_PAUSE_S * Math.log(1 - random.nextDouble());
        var turn = new SessionTurn(runs, tokens, SyntheticTurns.output(new Draws(random)), pause);
        return new Session(1, List.of(turn).iterator());
    }
}
