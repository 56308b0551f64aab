package io.kvrouter.load;

import io.kvrouter.worker.WorkerId;

/**
 * Context tokens of sessions that were active lately, on the worker and rank that they are bound to: a part of what it
 * must keep resident.
 */
public record ResidentTokens(WorkerId worker, int rank, long tokens) {
    public ResidentTokens {
        if (rank < 0 || tokens < 0) {
            throw new IllegalArgumentException("resident: rank " + rank + ", " + tokens + " (expected: >= 0)");
        }
    }
}
