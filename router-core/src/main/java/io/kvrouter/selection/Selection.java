package io.kvrouter.selection;

import io.kvrouter.load.Booking;
import io.kvrouter.load.Place;
import io.kvrouter.overlap.Overlap;

/** Where a request goes, or why nowhere. */
public sealed interface Selection permits Selection.Chosen, Refusal {
    /** The worker and rank that the policy chose, and what the request will put on it. */
    record Chosen(Place place, Overlap overlap, Booking booking) implements Selection {}
}
