package io.kvrouter.load;

import com.dynatrace.hash4j.hashing.Hashing;

/**
 * The name of a reservation on the node that made it, in 64 bits: no two of a node's life are equal. The node numbers
 * its own from 1 on; those of a caller who names them itself are hashes with the sign bit set, so that the two never
 * meet, and 250,000 remembered ones collide with a probability of 3e-9.
 */
public record ReservationId(long value) {
    /** The reservation that a caller knows by this name. */
    public static ReservationId ofCaller(String name) {
        return new ReservationId(Long.MIN_VALUE | Hashing.xxh3_64().hashCharsToLong(name));
    }

    boolean isCallers() {
        return value < 0;
    }
}
