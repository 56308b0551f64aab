package io.kvrouter.bench.client;

/** What became of a {@link Call}. */
public sealed interface Outcome {
    /** A whole answer came, good or not. */
    record Answered(Head head) implements Outcome {}

    /** None came. */
    enum Unanswered implements Outcome {
        /** It waited for its place, and was taken back. */
        NOT_SENT,
        /** The node did not take a connection. */
        NOT_CONNECTED,
        /** The connection broke, or what came on it was no answer. */
        BROKEN_OFF
    }
}
