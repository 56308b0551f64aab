package io.kvrouter.bench;

/**
 * How much a benchmark sends.
 *
 * @param requests of one path in one round
 * @param concurrency connections, each with one request in flight
 * @param rounds measured, each over all paths in turn
 * @param warmUp rounds before those, of which nothing is kept
 * @param stream answers come as server-sent events
 */
public record Plan(int requests, int concurrency, int rounds, int warmUp, boolean stream) {
    public Plan {
        if (requests < 1 || requests > WorkerLog.BOUND) {
            throw new IllegalArgumentException(
                    "requests: " + requests + " (expected: 1 to " + WorkerLog.BOUND + ", as the worker's log holds)");
        }
        if (concurrency < 1 || rounds < 1 || warmUp < 0) {
            throw new IllegalArgumentException("concurrency " + concurrency + ", rounds " + rounds + ", warm-up "
                    + warmUp + " (expected: at least 1, 1 and 0)");
        }
    }
}
