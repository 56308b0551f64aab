package io.kvrouter.load;

/** The name of a reservation on the node that made it. No two of a node's life are equal. */
public record ReservationId(long value) {}
