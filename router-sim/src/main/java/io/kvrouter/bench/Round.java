package io.kvrouter.bench;

import java.util.Map;

/**
 * What one round of requests over one path gave.
 *
 * @param samples from writing the request to the last byte of its answer, of requests answered with 200
 * @param failed requests that were not
 * @param decisions how often the router answered with which {@code x-router-decision}; none on the direct path
 */
public record Round(Samples samples, int failed, Map<String, Integer> decisions, long elapsedNanos) {
    private static final double NANOS_PER_S = 1e9;

    public Round {
        decisions = Map.copyOf(decisions);
    }

    public int sent() {
        return samples.count() + failed;
    }

    public double requestsPerSecond() {
        return sent() * NANOS_PER_S / Math.max(1, elapsedNanos);
    }
}
