package io.kvrouter.bench.workload;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** The turns of one synthetic session: how its prompt grows, is cut and compacted. */
final class SyntheticTurns implements Iterator<SessionTurn> {
    private static final int COMPACTED_AT = 258_000;
    private static final int MOST_GROWTH = 60_000;
    private static final int MOST_OUTPUT = 20_000;
    private static final int MOST_RESUMED = 250_000;
    /** Tokens at the end of a prompt that the next one need not begin with: 0 to one less than this. */
    private static final int LOOSE_END = 128;
    /** What system and tools take of a first prompt. */
    private static final int SYSTEM_TOKENS = 14_400;

    private final Draws draws;
    private final double agentShare;
    private final SystemPrompts prompts;
    private final PromptBlocks blocks;
    private final SubAgents agents;
    private int left;
    private int tokens;

    SyntheticTurns(int length, Draws draws, double agentShare, SystemPrompts prompts) {
        this.left = length;
        this.draws = draws;
        this.agentShare = agentShare;
        this.prompts = prompts;
        var numbers = new BlockNumbers();
        this.blocks = new PromptBlocks(numbers);
        this.agents = new SubAgents(draws, numbers, prompts);
    }

    @Override
    public boolean hasNext() {
        return left > 0;
    }

    @Override
    public SessionTurn next() {
        if (left-- <= 0) {
            throw new NoSuchElementException();
        }
        if (tokens == 0) {
            prompts.draw(draws, SYSTEM_TOKENS / SessionTurn.BLOCK_TOKENS).ifPresent(blocks::begin);
            become(first(), SYSTEM_TOKENS);
            return new SessionTurn(blocks.runs(), tokens, output(draws), 0);
        }
        double think = think();
        change();
        List<List<SessionTurn>> before = agentShare > 0 && draws.chance(agentShare) ? agents.spawn() : List.of();
        return new SessionTurn(blocks.runs(), tokens, output(draws), think, before);
    }

    private double first() {
        return draws.chance(0.6)
                ? SYSTEM_TOKENS + draws.logNormal(3_900, 0.75)
                : Math.min(MOST_RESUMED, 60_000 + draws.logNormal(55_000, 1.1));
    }

    private void change() {
        double grown = tokens + Math.min(MOST_GROWTH, draws.logNormal(656, 1.36));
        if (grown > COMPACTED_AT) {
            compact(draws.uniform(0.1, 0.4));
        } else if (draws.chance(0.0085)) {
            compact(draws.beta(1.6, 2.4));
        } else if (draws.chance(0.014)) {
            become(grown, tokens * draws.beta(0.7, 1.1));
        } else {
            become(grown, tokens - draws.integer(LOOSE_END));
        }
    }

    /** The prompt is replaced by one of this share of it, which keeps a part of its beginning. */
    private void compact(double share) {
        double shorter = tokens * share;
        become(shorter, shorter * draws.beta(1.1, 2.4));
    }

    private void become(double length, double kept) {
        tokens = Math.max(1, (int) length);
        blocks.become(tokens / SessionTurn.BLOCK_TOKENS, (int) Math.max(0, kept) / SessionTurn.BLOCK_TOKENS);
    }

    static int output(Draws draws) {
        double length = draws.chance(0.93) ? draws.logNormal(218, 0.95) : draws.logNormal(1_500, 0.9);
        return (int) Math.clamp(length, 1.0, (double) MOST_OUTPUT);
    }

    private double think() {
        if (!draws.chance(0.85)) {
            return draws.logNormal(130, 1.7);
        }
        return draws.chance(0.9) ? 3 + draws.logNormal(6, 1.0) : draws.logNormal(120, 1.1);
    }
}
