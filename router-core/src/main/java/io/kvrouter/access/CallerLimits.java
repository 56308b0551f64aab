package io.kvrouter.access;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a caller may use of the whole cluster at most.
 *
 * @param requestsInFlight requests that run or wait at the same time; empty = no bound
 * @param tokensPerMinute of prompts and answers; empty = no bound
 */
public record CallerLimits(OptionalInt requestsInFlight, OptionalLong tokensPerMinute) {
    /** No bounds. */
    public static final CallerLimits NONE = new CallerLimits(OptionalInt.empty(), OptionalLong.empty());

    public CallerLimits {
        if (requestsInFlight.orElse(1) < 1) {
            throw new IllegalArgumentException(
                    "requests-in-flight: " + requestsInFlight.getAsInt() + " (expected: >= 1)");
        }
        if (tokensPerMinute.orElse(1) < 1) {
            throw new IllegalArgumentException(
                    "tokens-per-minute: " + tokensPerMinute.getAsLong() + " (expected: >= 1)");
        }
    }
}
