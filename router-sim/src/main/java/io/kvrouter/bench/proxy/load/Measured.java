package io.kvrouter.bench.proxy.load;

import java.time.Duration;

/**
 * What one round over one way gave.
 *
 * @param units requests or events, whichever the workload counts, of those that are measured
 * @param failed requests without a whole answer of status 200
 * @param counted whether the engine saw each request once, and answered it whole
 * @param time of the measurement
 * @param cpu of the way's process meanwhile, with all that it does unasked
 * @param p50Ms median of what the workload times; 0 if it times nothing
 * @param p99Ms its 99th percentile
 */
public record Measured(
        long units, long failed, boolean counted, Duration time, Duration cpu, double p50Ms, double p99Ms) {
    private static final double NANOS = 1e9;

    /** Units in a second. */
    public double rate() {
        return units * NANOS / Math.max(1, time.toNanos());
    }

    /** Whether no request was lost, refused or repeated. */
    public boolean sound() {
        return failed == 0 && counted;
    }
}
