package io.kvrouter.bench.fuzz;

/** How a connection ended. */
public enum End {
    /** With an answer. */
    ANSWERED,
    /** The router closed or reset it. */
    CLOSED,
    /** The router waited, for more or for its worker, and closed it when it heard that no more comes. */
    WAITED,
    /** With a 500 of the router's own, or what says the same. */
    FAILED,
    /** Not at all. */
    STUCK
}
