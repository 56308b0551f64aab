package io.kvrouter.booking;

import io.kvrouter.admission.Shed;
import io.kvrouter.load.ReservationId;
import io.kvrouter.selection.Refusal;
import io.kvrouter.worker.WorkerId;

/** Where a request goes, with its load booked there; or why nowhere, with nothing booked. */
public sealed interface SelectionAnswer {
    /**
     * Booked.
     *
     * @param overlapTokens prompt tokens that the worker is taken to have cached
     */
    record Selected(ReservationId reservation, WorkerId worker, int rank, long overlapTokens)
            implements SelectionAnswer {}

    /** Not booked. */
    record Refused(Refusal why) implements SelectionAnswer {}

    /** Not booked either: there was no room for it in time. */
    record SentAway(Shed shed) implements SelectionAnswer {}
}
