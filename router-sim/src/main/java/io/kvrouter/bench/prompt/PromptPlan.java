package io.kvrouter.bench.prompt;

/**
 * How long the prompts are and how many are sent.
 *
 * @param tokens of a first turn, about
 * @param newTokens that a later turn adds, about: an answer and what is said to it
 * @param laterTurns of each conversation
 * @param conversations of a round; each is sent without a session and, other text, with one
 * @param rounds measured
 * @param warmUp rounds before those
 */
public record PromptPlan(int tokens, int newTokens, int laterTurns, int conversations, int rounds, int warmUp) {
    public PromptPlan {
        if (tokens < 1 || newTokens < 1) {
            throw new IllegalArgumentException(
                    "tokens " + tokens + ", new tokens " + newTokens + " (expected: at least 1)");
        }
        if (laterTurns < 1 || conversations < 1 || rounds < 1 || warmUp < 0) {
            throw new IllegalArgumentException("later turns " + laterTurns + ", conversations " + conversations
                    + ", rounds " + rounds + ", warm-up " + warmUp + " (expected: at least 1, 1, 1 and 0)");
        }
    }
}
