package io.kvrouter.session;

/**
 * A turn as the session's actor sees it: who it is, and for how long after each sign of life the session stays.
 *
 * @param ttlMs idle time-out of the session's model, in ms; pinning that is off (0) sends no turn
 */
public record Turn(TurnId id, long ttlMs) {
    private static final long LONGEST_MS = 366L * 24 * 60 * 60 * 1_000;

    public Turn {
        if (ttlMs <= 0 || ttlMs > LONGEST_MS) {
            throw new IllegalArgumentException("idle time-out: " + ttlMs + " ms (expected: more than 0, up to a year)");
        }
    }
}
