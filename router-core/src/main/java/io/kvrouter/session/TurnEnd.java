package io.kvrouter.session;

/**
 * How a turn ended.
 *
 * @param known the binding as the turn knows it; nothing where its actor was never heard
 * @param served a worker answered the turn
 * @param contextTokens prompt and output tokens: what the next turn starts from; 0 when unknown
 * @param last the client said that no turn will follow
 */
public record TurnEnd(Turn turn, Known known, boolean served, long contextTokens, boolean last) {
    public TurnEnd {
        if (contextTokens < 0) {
            throw new IllegalArgumentException("context tokens: " + contextTokens + " (expected: >= 0)");
        }
    }
}
