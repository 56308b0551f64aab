package io.kvrouter.bench.fleet.load;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * One turn to send.
 *
 * @param request head and body
 * @param atEnd hears once what became of it
 */
record Asked(ByteBuffer request, Consumer<Outcome> atEnd) {
    /**
     * What became of a turn.
     *
     * @param status of the answer; 0 without a whole one
     * @param worker that answered, as the router names it
     * @param firstNanos when the first byte of the answer's body came
     * @param endNanos when it was over
     */
    record Outcome(int status, String worker, long firstNanos, long endNanos) {
        private static final int OK = 200;

        static Outcome broken() {
            return new Outcome(0, "", 0, System.nanoTime());
        }

        boolean succeeded() {
            return status == OK;
        }
    }
}
