package io.kvrouter.load.slice;

/**
 * The work on one rank of a worker.
 *
 * @param requests requests in flight
 * @param prefillTokens prompt tokens that are neither cached nor prefilled yet
 * @param decodeBlocks KV blocks held by the requests in flight
 * @param footprintTokens context tokens of the sessions that were active there lately: what it must keep resident
 */
public record WorkerLoad(long requests, long prefillTokens, long decodeBlocks, long footprintTokens) {
    /** Idle. */
    public static final WorkerLoad NONE = new WorkerLoad(0, 0, 0);

    public WorkerLoad {
        if (requests < 0 || prefillTokens < 0 || decodeBlocks < 0 || footprintTokens < 0) {
            throw new IllegalArgumentException("load: " + requests + ", " + prefillTokens + ", " + decodeBlocks + ", "
                    + footprintTokens + " (expected: >= 0)");
        }
    }

    /** Of requests in flight only. */
    public WorkerLoad(long requests, long prefillTokens, long decodeBlocks) {
        this(requests, prefillTokens, decodeBlocks, 0);
    }

    public WorkerLoad plus(WorkerLoad other) {
        return new WorkerLoad(
                requests + other.requests,
                prefillTokens + other.prefillTokens,
                decodeBlocks + other.decodeBlocks,
                footprintTokens + other.footprintTokens);
    }
}
