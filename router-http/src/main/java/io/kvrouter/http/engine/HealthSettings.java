package io.kvrouter.http.engine;

import java.time.Duration;

/**
 * How workers are checked.
 *
 * @param interval between two checks of one worker
 * @param downAfter failed checks in a row until a worker counts as down
 */
public record HealthSettings(Duration interval, int downAfter) {
    public HealthSettings {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("health check interval: " + interval + " (expected: > 0)");
        }
        if (downAfter < 1) {
            throw new IllegalArgumentException("health check failures: " + downAfter + " (expected: >= 1)");
        }
    }
}
