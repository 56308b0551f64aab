package io.kvrouter.load;

/**
 * The load that one request in flight puts on one worker.
 *
 * @param prefilled its prompt is computed: it counts no more prefill tokens
 * @param outputTokens tokens of its answer so far, if they are counted
 */
public record Reservation(Place place, Booking booking, boolean prefilled, long outputTokens) {
    /** Just booked. */
    static Reservation of(Place place, Booking booking) {
        return new Reservation(place, booking, false, 0);
    }

    long prefillTokens() {
        return prefilled ? 0 : booking.prefillTokens();
    }

    /** Blocks that it shares with no other request: those of an estimate, and those of its output. */
    long ownBlocks() {
        return booking.estimatedBlocks() + outputTokens / place.blockSize();
    }

    Reservation afterPrefill() {
        return new Reservation(place, booking, true, outputTokens);
    }

    Reservation corrected(Booking known) {
        return new Reservation(place, known, prefilled, outputTokens);
    }

    /** With so many tokens of output, unless it is known to have more. */
    Reservation withOutput(long tokens) {
        return new Reservation(place, booking, prefilled, Math.max(outputTokens, tokens));
    }
}
