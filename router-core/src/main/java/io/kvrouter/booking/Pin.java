package io.kvrouter.booking;

import io.kvrouter.worker.Demand;
import io.kvrouter.worker.WorkerId;

/**
 * The worker and rank that a turn is bound to, and what it demands of it.
 *
 * @param mode in {@link SessionMode#HARD} a busy worker refuses the turn; in {@link SessionMode#OFF} nothing does
 */
public record Pin(Demand demand, WorkerId worker, int rank, SessionMode mode) {
    /** Takes its place, whatever speaks against it: it is no session's, but its caller's choice. */
    public Pin(Demand demand, WorkerId worker, int rank) {
        this(demand, worker, rank, SessionMode.OFF);
    }
}
