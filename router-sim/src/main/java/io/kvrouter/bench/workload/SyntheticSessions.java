package io.kvrouter.bench.workload;

import java.util.random.RandomGenerator;

/**
 * Sessions like those of coding agents: their lengths, growth, compactions and pauses are drawn from distributions that
 * were fitted to 676 recorded sessions. As options, some turns follow runs of sub-agents, and sessions share system
 * prompts; by default neither.
 */
public final class SyntheticSessions implements SessionSource {
    private static final double TURNS = 44;
    private static final double TURNS_DEVIATION = 0.94;
    private static final int LEAST_TURNS = 3;
    private static final int MOST_TURNS = 600;

    private final double agentShare;
    private final SystemPrompts prompts;

    /** Without sub-agents, and with nothing in common. */
    public SyntheticSessions() {
        this(0, 0);
    }

    /**
     * With more of what agents do.
     *
     * @param agentShare of the turns, before which 2 to 8 sub-agents run side by side with contexts of their own
     * @param systemPrompts from how many a session begins with one, by Zipf's law; 0 = sessions have nothing in common
     */
    public SyntheticSessions(double agentShare, int systemPrompts) {
        if (!(agentShare >= 0 && agentShare <= 1)) {
            throw new IllegalArgumentException("sub-agents: " + agentShare + " (expected: 0 to 1)");
        }
        this.agentShare = agentShare;
        this.prompts = new SystemPrompts(systemPrompts);
    }

    @Override
    public String title() {
        return "synthetic sessions, "
                + (agentShare == 0
                        ? "no sub-agents"
                        : "2 to 8 sub-agents before " + 100 * agentShare + " % of the turns")
                + ", "
                + (prompts.count() == 0
                        ? "no common system prompts"
                        : prompts.count() + " system prompts by Zipf's law, of 14,400 tokens");
    }

    @Override
    public Session next(RandomGenerator random) {
        var draws = new Draws(random);
        int length = (int)
                Math.clamp(Math.round(draws.logNormal(TURNS, TURNS_DEVIATION)), (long) LEAST_TURNS, (long) MOST_TURNS);
        return new Session(length, new SyntheticTurns(length, draws, agentShare, prompts));
    }
}
