package io.kvrouter.http.turn;

import io.kvrouter.session.Answer;
import io.kvrouter.session.Known;
import io.kvrouter.worker.WorkerId;

/**
 * A worker that a turn has booked, and goes to.
 *
 * @param overlapTokens prompt tokens that its KV cache holds, as far as this node knows
 * @param binding the session's binding, as far as this turn knows it: not this worker on a detour
 */
record Placement(WorkerId worker, int rank, long overlapTokens, Decision decision, Known binding) {

    /** Whether this turn made the session's binding: the session has no cache there yet. */
    boolean madeBinding() {
        return binding.worker() != null && (decision == Decision.SELECTED || decision == Decision.REBOUND);
    }

    Placement decided(Decision changed, Known known) {
        return new Placement(worker, rank, overlapTokens, changed, known);
    }

    /**
     * The actor's answer names this worker.
     *
     * @param promptTokens what the session's last turn left there can't be more overlap than that
     */
    Placement bound(Answer.Bound answer, long promptTokens) {
        Decision how = switch (answer.how()) {
            case CREATED -> Decision.SELECTED;
            case FOLLOWED -> Decision.PINNED;
            case REBOUND -> Decision.REBOUND;
        };
        long cached = how == Decision.PINNED ? Math.min(answer.contextTokens(), promptTokens) : 0;
        return new Placement(
                worker,
                rank,
                Math.max(overlapTokens, cached),
                how,
                answer.binding().known());
    }

    boolean at(Answer.Bound answer) {
        return worker.equals(answer.binding().worker())
                && rank == answer.binding().rank();
    }
}
