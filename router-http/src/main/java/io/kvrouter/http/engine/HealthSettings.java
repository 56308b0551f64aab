package io.kvrouter.http.engine;

import io.kvrouter.failover.BreakerSettings;
import java.time.Duration;

/**
 * How workers are checked, and what follows for those that fail.
 *
 * @param interval between two checks of one worker
 * @param downAfter failed checks in a row until a worker counts as down
 * @param breaker when one that answers its checks counts as broken
 */
public record HealthSettings(Duration interval, int downAfter, BreakerSettings breaker) {
    public HealthSettings {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("health check interval: " + interval + " (expected: > 0)");
        }
        if (downAfter < 1) {
            throw new IllegalArgumentException("health check failures: " + downAfter + " (expected: >= 1)");
        }
    }
}
