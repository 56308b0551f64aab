package io.kvrouter.session;

import io.kvrouter.worker.WorkerId;

/**
 * Where a turn would bind its session.
 *
 * @param seen the version that the turn found and wants replaced: of a usable row whose worker is ineligible, or of a
 *     removed row; {@link Version#NONE} if there was none
 * @param known the binding as the turn knows it
 */
public record Proposal(long seen, WorkerId worker, int rank, Known known) {
    public Proposal {
        if (seen < 0 || rank < 0) {
            throw new IllegalArgumentException("proposal: seen " + seen + ", rank " + rank + " (expected: >= 0)");
        }
    }
}
