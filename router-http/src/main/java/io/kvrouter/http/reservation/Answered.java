package io.kvrouter.http.reservation;

import io.kvrouter.cluster.reservation.Standing;
import io.kvrouter.http.turn.Placement;
import java.time.Duration;

/** What became of a reservation. */
public sealed interface Answered {
    ReservationName name();

    /**
     * It is held from now on.
     *
     * @param promptTokens its prompt's length; an estimate where that was not read yet
     * @param lease for how long, without a word of its caller
     */
    record Booked(ReservationName name, Placement placement, long promptTokens, Duration lease) implements Answered {}

    /** The node that holds it is a member: its load counts everywhere already. */
    record NotMirrored(ReservationName name) implements Answered {}

    /** How it stands. */
    record Stands(ReservationName name, Standing standing) implements Answered {}

    /** It has ended, so that nothing was booked. */
    static Answered ended(ReservationName name) {
        return new Stands(name, Standing.ENDED);
    }
}
