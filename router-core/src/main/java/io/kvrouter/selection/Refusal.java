package io.kvrouter.selection;

/** Why no worker takes a request. */
public enum Refusal implements Selection {
    /** No worker is eligible, or each was tried already: 503. */
    NONE_ELIGIBLE,
    /** Some are eligible, all have as many requests of this node as they may: it waits where it can, else 429. */
    AT_CAP,
    /** Some are eligible, all are over their busy threshold: 429. */
    ALL_BUSY,
    /** The session's worker is over its busy threshold, and the session may not leave it: 429. */
    BOUND_BUSY,
    /** The worker, or rank, that the request names is not eligible. */
    NAMED_NOT_ELIGIBLE
}
