package io.kvrouter.kv.event;

import java.util.Set;

/**
 * Which KV cache group of a hybrid model counts: one with full attention, since only it keeps every block of a prefix.
 * Engines tell a group's kind when they store and only its number when they remove, so the number is remembered.
 */
final class MainGroup {
    private static final Set<String> FULL = Set.of("full_attention", "mla_attention", "sink_full_attention");
    private static final int UNKNOWN = -2;

    private int number = UNKNOWN;

    /** Whether blocks stored there count. The first group with full attention is the one until {@link #forget}. */
    boolean admitsStored(Placement placement) {
        if (placement.kind() != null && !FULL.contains(placement.kind())) {
            return false;
        }
        if (placement.kind() != null && number == UNKNOWN) {
            number = placement.group();
        }
        return admitsRemoved(placement);
    }

    boolean admitsRemoved(Placement placement) {
        return placement.group() == Placement.NO_GROUP || placement.group() == (number == UNKNOWN ? 0 : number);
    }

    void forget() {
        number = UNKNOWN;
    }

    /** Its number, to be remembered by another node. */
    int number() {
        return number;
    }

    void restore(int remembered) {
        number = remembered;
    }
}
