package io.kvrouter.bench.soak;

import java.time.Duration;

/**
 * What is done to the cluster.
 *
 * @param clients of the API; a third as many call the selection API
 * @param rounds of traffic, each with a quiet moment behind it
 * @param traffic of all rounds together
 * @param between faults of nodes, on average
 * @param seed of all that is drawn
 */
public record SoakPlan(int nodes, int workers, int clients, int rounds, Duration traffic, Duration between, long seed) {
    public SoakPlan {
        atLeast("nodes", nodes, 1);
        atLeast("workers", workers, 1);
        atLeast("clients", clients, 1);
        atLeast("rounds", rounds, 1);
        if (traffic.isZero() || traffic.isNegative()) {
            throw new IllegalArgumentException("traffic: " + traffic + " (expected: some)");
        }
        if (between.isZero() || between.isNegative()) {
            throw new IllegalArgumentException("fault-every: " + between + " (expected: some)");
        }
    }

    /** Callers of the selection API. */
    int callers() {
        return Math.ceilDiv(clients, 3);
    }

    Duration ofRound() {
        return traffic.dividedBy(rounds);
    }

    private static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: at least " + least + ")");
        }
    }
}
