package io.kvrouter.failover;

/**
 * What a call says of its worker. What the client did wrong, that the worker is busy, and that the client has left say
 * nothing of it.
 */
public enum Outcome {
    /** It has begun to answer, with no error. */
    ANSWERED,
    /** It broke off before its answer, answered late, wrongly, or with an error of its own. */
    FAILED,
    /** It broke off an answer that it had begun. */
    BROKE_OFF,
    /** Nothing. */
    NEUTRAL
}
