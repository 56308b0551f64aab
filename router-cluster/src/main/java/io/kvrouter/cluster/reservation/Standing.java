package io.kvrouter.cluster.reservation;

/** How a reservation stands on the node that was asked. */
public enum Standing {
    /** Its load counts, its prefill is not complete. */
    BOOKED,
    /** Its load counts, its prefill is complete. */
    PREFILL_COMPLETE,
    /** It has ended, or its end came before it: no load, now or later. */
    ENDED,
    /** The node has not heard of it. */
    UNKNOWN;

    /** Its load counts. */
    public boolean held() {
        return this == BOOKED || this == PREFILL_COMPLETE;
    }
}
