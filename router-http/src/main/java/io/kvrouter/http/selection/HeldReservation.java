package io.kvrouter.http.selection;

import io.kvrouter.cluster.reservation.Standing;
import io.kvrouter.http.turn.HeldTurn;
import java.util.OptionalLong;

/**
 * One reservation, and what its caller has said of it. What is said before the turn has its place counts from then on.
 * Guarded by the {@link HeldReservations} that it is in.
 */
final class HeldReservation {
    private final HeldTurn turn;
    private final long expectedTokens;
    private long seenMs;
    private long outputBlocks;
    private int blockSize;
    private boolean prefilled;

    HeldReservation(HeldTurn turn, long expectedTokens, long nowMs) {
        this.turn = turn;
        this.expectedTokens = expectedTokens;
        this.seenMs = nowMs;
    }

    boolean isOf(HeldTurn other) {
        return turn == other;
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
            turn.prefillComplete();
        }
        tellOutput();
    }

    void prefillComplete() {
        prefilled = true;
        turn.prefillComplete();
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
            turn.output(tokens);
        }
    }

    void end(boolean served, OptionalLong contextTokens) {
        turn.end(served, contextTokens);
    }

    /** The caller is gone: what is known to be served is what it has said. */
    void abandon() {
        turn.end(prefilled, OptionalLong.empty());
    }

    Standing standing() {
        return prefilled ? Standing.PREFILL_COMPLETE : Standing.BOOKED;
    }
}
