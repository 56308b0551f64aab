package io.kvrouter.bench.proxy;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * How much a benchmark sends.
 *
 * @param workloads in the order of their declaration
 * @param requests of a way in a round of {@link Workload#SHORT}
 * @param concurrency connections of that workload, each with one request in flight
 * @param rounds measured, each over all ways in turn
 * @param warmUp how long each way that runs on a JVM is used before, of which nothing is kept
 * @param time of a round of the workloads that go at a pace
 * @param rate requests a second of {@link Workload#PACED}; 0 = half of what the router sustains
 */
public record ProxyPlan(
        Set<Workload> workloads, int requests, int concurrency, int rounds, Duration warmUp, Duration time, int rate) {
    public ProxyPlan {
        if (workloads.isEmpty()) {
            throw new IllegalArgumentException("workloads: none (expected: at least one)");
        }
        if (requests < 1 || concurrency < 1 || rounds < 1 || warmUp.isNegative() || rate < 0) {
            throw new IllegalArgumentException(
                    "requests %d, concurrency %d, rounds %d, warm-up %s, rate %d (expected: at least 1, 1, 1, 0, 0)"
                            .formatted(requests, concurrency, rounds, warmUp.toMillis() / 1e3, rate));
        }
        if (time.toMillis() < 1 || time.toMinutes() > 10) {
            throw new IllegalArgumentException(
                    "seconds: " + time.toMillis() / 1e3 + " (expected: over 0, at most 600)");
        }
        workloads = EnumSet.copyOf(workloads);
    }
}
