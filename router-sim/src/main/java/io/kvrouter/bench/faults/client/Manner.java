package io.kvrouter.bench.faults.client;

import java.util.random.RandomGenerator;

/** How a client behaves in one request. */
enum Manner {
    /** Reads its answer to the end. */
    PATIENT,
    /** Reads slowly. */
    SLOW,
    /** Leaves before the head, some by a reset. */
    LEAVES_EARLY,
    /** Leaves in the middle of its request. */
    LEAVES_UNSAID,
    /** Leaves in the middle of the answer, some by a reset. */
    LEAVES_LATE,
    /** Says that it will send no more, and leaves with it. */
    HALF_CLOSES;

    private static final double PATIENTLY = 0.8;

    static Manner any(RandomGenerator random) {
        return random.nextDouble() < PATIENTLY ? PATIENT : values()[1 + random.nextInt(values().length - 1)];
    }
}
