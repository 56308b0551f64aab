package io.kvrouter.bench.fleet.load;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * One turn to send.
 *
 * @param request head and body
 * @param atFirst hears once when the first byte of a good answer's body came
 * @param atEnd hears once what became of it
 */
record Asked(ByteBuffer request, LongConsumer atFirst, Consumer<Outcome> atEnd) {
    private static final int OK = 200;

    static boolean good(int status) {
        return status == OK;
    }

    /**
     * What became of a turn.
     *
     * @param status of the answer; 0 without a whole one
     * @param worker that answered, as the router names it
     * @param cachedTokens of the prompt that the worker found, by the answer's usage; {@link #NOT_TOLD} without one
     * @param endNanos when it was over
     */
    record Outcome(int status, String worker, int cachedTokens, long endNanos) {
        static final int NOT_TOLD = -1;

        static Outcome broken() {
            return new Outcome(0, "", NOT_TOLD, System.nanoTime());
        }

        boolean succeeded() {
            return good(status);
        }
    }
}
