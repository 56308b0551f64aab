package io.kvrouter.kv.stream;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Batches that came while earlier ones are asked for again. Bounded in bytes: what comes beyond is not kept, and shows
 * as a gap when its turn would be.
 */
final class PendingBatches {
    /** What a waiting batch takes besides its payload. */
    private static final int OVERHEAD = 64;

    /** One batch as published. */
    static final class Batch {
        private final long sequence;
        private final byte[] payload;

        Batch(long sequence, byte[] payload) {
            this.sequence = sequence;
            this.payload = payload;
        }

        long sequence() {
            return sequence;
        }

        byte[] payload() {
            return payload;
        }
    }

    private final long maxBytes;
    private final Deque<Batch> batches = new ArrayDeque<>();
    private long bytes;

    PendingBatches(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    void add(long sequence, byte[] payload) {
        if (batches.isEmpty() || bytes + payload.length + OVERHEAD <= maxBytes) {
            batches.addLast(new Batch(sequence, payload));
            bytes += payload.length + OVERHEAD;
        }
    }

    /** Its turn has not come yet: back to the front. */
    void putBack(Batch batch) {
        batches.addFirst(batch);
        bytes += batch.payload().length + OVERHEAD;
    }

    Batch take() {
        Batch batch = batches.removeFirst();
        bytes -= batch.payload().length + OVERHEAD;
        return batch;
    }

    boolean isEmpty() {
        return batches.isEmpty();
    }

    int size() {
        return batches.size();
    }

    /** The sequence number of the next to take. */
    long firstSequence() {
        return batches.getFirst().sequence();
    }
}
