package io.kvrouter.cluster.reservation;

import java.util.OptionalLong;

/** What a caller says of a reservation. Each is a sign of life: it renews the lease. */
public sealed interface ReservationCall {
    /** The reservation, by its full name. */
    String name();

    /** Nothing: how does it stand? No sign of life. */
    record Look(String name) implements ReservationCall {}

    /** The prompt is computed. */
    record PrefillComplete(String name) implements ReservationCall {}

    /**
     * The output fills more KV blocks.
     *
     * @param total how many it fills now; empty for one more
     */
    record OutputBlock(String name, OptionalLong total) implements ReservationCall {
        public OutputBlock {
            if (total.orElse(0) < 0) {
                throw new IllegalArgumentException("output blocks: " + total.getAsLong() + " (expected: >= 0)");
            }
        }
    }

    /**
     * The request is over.
     *
     * @param served a worker has answered it
     * @param contextTokens prompt and output tokens; empty if the caller does not know
     */
    record End(String name, boolean served, OptionalLong contextTokens) implements ReservationCall {
        public End {
            if (contextTokens.orElse(0) < 0) {
                throw new IllegalArgumentException(
                        "context tokens: " + contextTokens.getAsLong() + " (expected: >= 0)");
            }
        }
    }
}
