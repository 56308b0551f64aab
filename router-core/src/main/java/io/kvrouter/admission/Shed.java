package io.kvrouter.admission;

/**
 * A request was sent away.
 *
 * @param retryAfterSeconds when there should be room for it, by how fast requests came to their ends; at least 1
 */
public record Shed(Why why, int retryAfterSeconds) {
    /** What kept it out. */
    public enum Why {
        /** All that it may go to is full, and so is the queue, or its caller had to make room there for another. */
        QUEUE_FULL,
        /** It has waited as long as it may. */
        DEADLINE,
        /** Its client went away, so that nobody hears this. */
        LEFT
    }

    public Shed {
        if (retryAfterSeconds < 1) {
            throw new IllegalArgumentException("shed: retry after " + retryAfterSeconds + " s (expected: >= 1)");
        }
    }
}
