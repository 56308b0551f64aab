package io.kvrouter.session.replica;

/**
 * Up to when rows are forgotten: the lowest of the members' clocks, less the skew, rounded down to the interval. So all
 * nodes come to the same floors, and one clock that steps ahead drops nothing.
 *
 * @param intervalMs how often rows are swept
 * @param skewMs how far two nodes' clocks may be apart
 */
public record SweepFloor(long intervalMs, long skewMs) {
    public SweepFloor {
        if (intervalMs <= 0 || skewMs < 0) {
            throw new IllegalArgumentException(
                    "sweep: every " + intervalMs + " ms, skew " + skewMs + " ms (expected: > 0, >= 0)");
        }
    }

    public long at(long lowestClockMs) {
        return Math.floorDiv(lowestClockMs - skewMs, intervalMs) * intervalMs;
    }
}
