package io.kvrouter.failover;

import java.time.Duration;

/**
 * When a request that a worker did not take may try another one.
 *
 * @param maxAttempts workers that one request may try before its first byte
 * @param share of a node's requests that may be retries
 * @param reserve retries in ten seconds besides
 * @param backOff before the second retry of a request; doubles for each further one. The first goes to another worker at
 *     once
 * @param longestRest the longest Retry-After that is honoured
 * @param hedgeAfter when a request without a session asks a second worker too, if no byte of its answer came; zero = never
 */
public record RetrySettings(
        int maxAttempts, double share, int reserve, Duration backOff, Duration longestRest, Duration hedgeAfter) {
    /** What is set where nobody sets anything. */
    public static final RetrySettings DEFAULT =
            new RetrySettings(3, 0.2, 100, Duration.ofMillis(25), Duration.ofSeconds(30), Duration.ZERO);

    public RetrySettings {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("max-attempts: " + maxAttempts + " (expected: >= 1)");
        }
        if (!(share >= 0) || reserve < 0) {
            throw new IllegalArgumentException("retries: " + share + ", " + reserve + " (expected: >= 0)");
        }
        if (backOff.isNegative() || longestRest.isNegative() || hedgeAfter.isNegative()) {
            throw new IllegalArgumentException(
                    "retries: " + backOff + ", " + longestRest + ", " + hedgeAfter + " (expected: >= 0)");
        }
    }
}
