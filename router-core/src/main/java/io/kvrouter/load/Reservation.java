package io.kvrouter.load;

/**
 * The load that one request in flight puts on one worker.
 *
 * @param prefilled its prompt is computed: it counts no more prefill tokens
 */
public record Reservation(Place place, Booking booking, boolean prefilled) {
    long prefillTokens() {
        return prefilled ? 0 : booking.prefillTokens();
    }

    Reservation afterPrefill() {
        return new Reservation(place, booking, true);
    }

    Reservation corrected(Booking known) {
        return new Reservation(place, known, prefilled);
    }
}
