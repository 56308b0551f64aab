package io.kvrouter.failover;

import java.time.Duration;

/**
 * When a worker that fails gets no requests, and how it gets them again.
 *
 * @param failures failed calls in ten seconds, at least, that open its breaker; 0 = it never opens
 * @param share of its calls that have failed then, at least
 * @param open until one request may try it; doubles each time that this fails
 * @param longest beyond this it does not double
 * @param slowStart until a worker that is back gets as many requests as others
 */
public record BreakerSettings(int failures, double share, Duration open, Duration longest, Duration slowStart) {
    /** What is set where nobody sets anything. */
    public static final BreakerSettings DEFAULT =
            new BreakerSettings(5, 0.5, Duration.ofSeconds(4), Duration.ofSeconds(60), Duration.ofSeconds(10));

    public BreakerSettings {
        if (failures < 0) {
            throw new IllegalArgumentException("failures: " + failures + " (expected: >= 0)");
        }
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share: " + share + " (expected: > 0, at most 1)");
        }
        if (open.isNegative() || open.isZero() || longest.compareTo(open) < 0) {
            throw new IllegalArgumentException("open: " + open + " (expected: > 0, at most " + longest + ")");
        }
        if (slowStart.isNegative()) {
            throw new IllegalArgumentException("slow-start: " + slowStart + " (expected: >= 0)");
        }
    }

    boolean enabled() {
        return failures > 0;
    }
}
