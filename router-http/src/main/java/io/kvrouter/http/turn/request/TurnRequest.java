package io.kvrouter.http.turn.request;

import io.kvrouter.admission.Ticket;
import io.kvrouter.booking.SessionMode;
import io.kvrouter.selection.CostFactors;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.Turn;
import io.kvrouter.worker.Demand;
import io.kvrouter.worker.WorkerId;
import java.util.Optional;

/**
 * A request as routing sees it.
 *
 * @param demand what it demands of a worker
 * @param override the worker that a trusted caller named
 * @param factors cost factors that a trusted caller set
 * @param session its session; empty without a session id, or with pinning off
 * @param ticket by which it is admitted
 */
public record TurnRequest(
        Demand demand,
        Optional<WorkerId> override,
        Optional<CostFactors> factors,
        TurnPrompt prompt,
        Optional<Affinity> session,
        Ticket ticket) {

    /**
     * A turn's place in its session.
     *
     * @param last the client said that no turn will follow
     * @param mode what may move it away from its session's worker
     */
    public record Affinity(SessionKey key, Turn turn, boolean last, SessionMode mode) {}

    /** A second run of it, beside the first: only where there is room for both. */
    public TurnRequest again() {
        return new TurnRequest(demand, override, factors, prompt, session, Ticket.impatient(ticket.caller()));
    }

    /** Its session stays on an eligible worker, even where that makes the client wait. */
    public boolean hard() {
        return session.filter(turn -> turn.mode() == SessionMode.HARD).isPresent();
    }
}
