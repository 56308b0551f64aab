package io.kvrouter.http.turn;

import io.kvrouter.session.Answer;
import io.kvrouter.session.Known;
import io.kvrouter.worker.WorkerId;
import java.util.OptionalLong;

/**
 * A worker that a turn has booked, and goes to.
 *
 * @param overlapTokens prompt tokens that its KV cache holds, if this node could tell before it sent the turn there
 * @param binding the session's binding, as far as this turn knows it: not this worker on a detour
 */
public record Placement(WorkerId worker, int rank, OptionalLong overlapTokens, Decision decision, Known binding) {

    /** Whether this turn made the session's binding: the session has no cache there yet. */
    boolean madeBinding() {
        return binding.worker() != null && (decision == Decision.SELECTED || decision == Decision.REBOUND);
    }

    Placement decided(Decision changed, Known known) {
        return new Placement(worker, rank, overlapTokens, changed, known);
    }

    /** The actor's answer names this worker. */
    Placement bound(Answer.Bound answer) {
        Decision how = switch (answer.how()) {
            case CREATED -> Decision.SELECTED;
            case FOLLOWED -> Decision.PINNED;
            case REBOUND -> Decision.REBOUND;
        };
        return decided(how, answer.binding().known());
    }

    /** What its session's last turn left there is cached too. */
    Placement cached(long tokens) {
        return tokens <= overlapTokens.orElse(0)
                ? this
                : new Placement(worker, rank, OptionalLong.of(tokens), decision, binding);
    }

    boolean at(Answer.Bound answer) {
        return worker.equals(answer.binding().worker())
                && rank == answer.binding().rank();
    }
}
