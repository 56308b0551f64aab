package io.kvrouter.booking;

import io.kvrouter.kv.Prompt;

/** What a pinned turn will put on its worker. */
public sealed interface Workload {
    /** The prompt was looked into. */
    record Known(Prompt prompt) implements Workload {}

    /**
     * It was not: what the session had, and what came on top. Its context is taken as cached.
     *
     * @param contextTokens tokens of the session's last turn
     * @param newTokens tokens that this turn adds
     */
    record Estimated(long contextTokens, long newTokens) implements Workload {
        public Estimated {
            if (contextTokens < 0 || newTokens < 0) {
                throw new IllegalArgumentException(
                        "estimate: " + contextTokens + ", " + newTokens + " (expected: >= 0)");
            }
        }
    }

    static Workload of(Prompt prompt) {
        return new Known(prompt);
    }
}
