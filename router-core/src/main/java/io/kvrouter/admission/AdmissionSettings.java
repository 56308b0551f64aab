package io.kvrouter.admission;

/**
 * How many requests a node lets run at a time, and how many more may wait.
 *
 * @param requests on all workers together; {@link #UNBOUNDED} = as many as come
 * @param workerRequests on one worker, all its ranks together; {@link #UNBOUNDED} = as many as come
 * @param queue requests that may wait; 0 = none
 * @param waitMs how long one may wait in all, in ms
 */
public record AdmissionSettings(int requests, int workerRequests, int queue, long waitMs) {
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    /** Everything goes on at once. */
    public static final AdmissionSettings OFF = new AdmissionSettings(UNBOUNDED, UNBOUNDED, 0, 0);

    public AdmissionSettings {
        if (requests < 1 || workerRequests < 1 || queue < 0 || waitMs < 0) {
            throw new IllegalArgumentException("admission: " + requests + " requests, " + workerRequests
                    + " a worker (expected: >= 1), queue " + queue + ", wait " + waitMs + " ms (expected: >= 0)");
        }
    }

    /** Whether nothing is ever full. */
    public boolean off() {
        return requests == UNBOUNDED && workerRequests == UNBOUNDED;
    }

    /** Whether a worker may be full. */
    public boolean capsWorkers() {
        return workerRequests != UNBOUNDED;
    }
}
