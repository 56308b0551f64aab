package io.kvrouter.http.reservation;

import io.kvrouter.cluster.reservation.Standing;
import java.util.OptionalLong;

/**
 * One reservation, and what its caller has said of it. What is said before the turn has its place counts from then on.
 * Guarded by the {@link HeldReservations} that it is in.
 */
final class HeldReservation {
    private final HeldLoad load;
    private final long expectedTokens;
    private long seenMs;
    private long outputBlocks;
    private int blockSize;
    private boolean prefilled;

    HeldReservation(HeldLoad load, long expectedTokens, long nowMs) {
        this.load = load;
        this.expectedTokens = expectedTokens;
        this.seenMs = nowMs;
    }

    boolean isOf(HeldLoad other) {
        return load.equals(other);
    }

    /** The last sign of life. */
    long seenMs() {
        return seenMs;
    }

    void seen(long nowMs) {
        seenMs = nowMs;
    }

    void placed(int size) {
        blockSize = size;
        if (prefilled) {
            load.prefillComplete();
        }
        tellOutput();
    }

    void prefillComplete() {
        prefilled = true;
        load.prefillComplete();
    }

    /** One more block, or so many in all: a lower total than before is an old one. */
    void output(OptionalLong total) {
        outputBlocks = Math.max(outputBlocks, total.orElse(outputBlocks + 1));
        tellOutput();
    }

    /** The expected output is reserved from the start; more counts when it comes. */
    private void tellOutput() {
        long tokens = Math.max(expectedTokens, outputBlocks * blockSize);
        if (blockSize > 0 && tokens > 0) {
            load.output(tokens);
        }
    }

    void end(boolean served, OptionalLong contextTokens) {
        load.end(served, contextTokens);
    }

    /** The caller is gone: what is known to be served is what it has said. */
    void abandon() {
        load.end(prefilled, OptionalLong.empty());
    }

    Standing standing() {
        return prefilled ? Standing.PREFILL_COMPLETE : Standing.BOOKED;
    }
}
