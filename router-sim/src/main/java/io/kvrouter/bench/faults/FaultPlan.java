package io.kvrouter.bench.faults;

/**
 * How long, and how hard.
 *
 * @param rate requests a second
 * @param seconds with faults
 * @param workers behind a proxy each, of which one at a time is gone
 * @param seed of faults and clients
 */
public record FaultPlan(int rate, int seconds, int workers, long seed) {
    public FaultPlan {
        atLeast(1, "rate", rate);
        atLeast(1, "seconds", seconds);
        atLeast(4, "workers", workers);
    }

    private static void atLeast(int least, String name, int value) {
        if (value < least) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= " + least + ")");
        }
    }
}
