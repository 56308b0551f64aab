package io.kvrouter.bench.overload;

import java.time.Duration;
import java.util.List;

/**
 * How hard, and for how long.
 *
 * @param workers simulated workers
 * @param sequences that each of them runs at once: the cap, where there is one
 * @param queue requests that may wait at the node
 * @param factors offered load, in multiples of what the workers can serve
 * @param time of each
 * @param patience after which a client gives its request up: an answer that comes later is worth nothing
 */
public record OverloadPlan(
        int workers, int sequences, int queue, List<Double> factors, Duration time, Duration patience) {
    public OverloadPlan {
        factors = List.copyOf(factors);
        require(workers >= 1, "workers: " + workers + " (expected: >= 1)");
        require(sequences >= 1, "sequences: " + sequences + " (expected: >= 1)");
        require(queue >= 0, "queue: " + queue + " (expected: >= 0)");
        require(
                !factors.isEmpty() && factors.stream().allMatch(factor -> factor > 0),
                "factors: " + factors + " (expected: > 0)");
        require(time.toMillis() >= 1_000, "time: " + time + " (expected: >= 1 s)");
        require(patience.toMillis() >= 100, "patience: " + patience + " (expected: >= 100 ms)");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Requests that the workers run at once. */
    int places() {
        return workers * sequences;
    }
}
