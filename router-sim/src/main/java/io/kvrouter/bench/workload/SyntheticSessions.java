package io.kvrouter.bench.workload;

import java.util.random.RandomGenerator;

/**
 * Sessions like those of coding agents: their lengths, growth, compactions and pauses are drawn from distributions that
 * were fitted to 676 recorded sessions. No content is shared between sessions, and no sub-agents are spawned.
 */
public final class SyntheticSessions implements SessionSource {
    private static final double TURNS = 44;
    private static final double TURNS_DEVIATION = 0.94;
    private static final int LEAST_TURNS = 3;
    private static final int MOST_TURNS = 600;

    @Override
    public Session next(RandomGenerator random) {
        var draws = new Draws(random);
        int length = (int)
                Math.clamp(Math.round(draws.logNormal(TURNS, TURNS_DEVIATION)), (long) LEAST_TURNS, (long) MOST_TURNS);
        return new Session(length, new SyntheticTurns(length, draws));
    }
}
