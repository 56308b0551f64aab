package io.kvrouter.bench.sessions;

import io.kvrouter.bench.cluster.Buckets;
import io.kvrouter.bench.sessions.load.Tally;
import java.util.Map;

/**
 * What was measured in one stretch of time.
 *
 * @param turns as the client saw them
 * @param inside as the nodes counted them
 * @param cpuSeconds of each process; of nodes that lived at the end
 */
record PhaseResult(String name, double seconds, Tally turns, Inside inside, Map<String, Double> cpuSeconds) {
    /** The process that sends, and has the simulated workers. */
    static final String BENCH = "bench and workers";

    private static final double MICROS = 1e6;

    /**
     * What the nodes counted.
     *
     * @param resolve of turns with a session
     * @param local asks of actors on the asking node
     * @param remote asks of actors on another
     * @param timeouts decisions that waited for the whole budget in vain
     * @param unawaited decisions that did not wait, because the shard was silent
     * @param gcSeconds garbage collection
     */
    record Inside(Buckets resolve, Buckets local, Buckets remote, double timeouts, double unawaited, double gcSeconds) {
        static final Inside NOTHING = new Inside(Buckets.EMPTY, Buckets.EMPTY, Buckets.EMPTY, 0, 0, 0);

        Inside plus(Inside other) {
            return new Inside(
                    resolve.plus(other.resolve),
                    local.plus(other.local),
                    remote.plus(other.remote),
                    timeouts + other.timeouts,
                    unawaited + other.unawaited,
                    gcSeconds + other.gcSeconds);
        }
    }

    double nodeCpuSeconds() {
        return cpuSeconds.entrySet().stream()
                .filter(process -> !process.getKey().equals(BENCH))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    double nodeCpuMicrosPerTurn() {
        return nodeCpuSeconds() * MICROS / Math.max(1, turns.succeeded());
    }
}
