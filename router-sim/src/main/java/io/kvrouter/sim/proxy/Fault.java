package io.kvrouter.sim.proxy;

/**
 * What goes wrong on one connection.
 *
 * @param afterBytes once so many bytes of answers have passed
 */
public record Fault(Kind kind, long afterBytes) {
    /** Nothing goes wrong. */
    public static final Fault NONE = new Fault(Kind.NONE, Long.MAX_VALUE);

    /** How. */
    public enum Kind {
        /** Not at all. */
        NONE,
        /** Both ends are closed. */
        CUT,
        /** Both ends are reset. */
        RESET,
        /** Nothing passes any more, and the connection stays open. */
        STALL,
        /** Bytes come that the worker never sent, then the end. */
        GARBAGE,
        /** A byte at a time, each a write of its own. */
        DRIP,
        /** The end of answers, while requests may still be sent. */
        HALF_CLOSE
    }
}
