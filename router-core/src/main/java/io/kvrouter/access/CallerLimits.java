package io.kvrouter.access;

import java.util.OptionalInt;

/**
 * What a caller may use of the whole cluster at most.
 *
 * @param requestsInFlight requests that run or wait at the same time; empty = no bound
 */
public record CallerLimits(OptionalInt requestsInFlight) {
    /** No bounds. */
    public static final CallerLimits NONE = new CallerLimits(OptionalInt.empty());

    public CallerLimits {
        if (requestsInFlight.orElse(1) < 1) {
            throw new IllegalArgumentException(
                    "requests-in-flight: " + requestsInFlight.getAsInt() + " (expected: >= 1)");
        }
    }
}
