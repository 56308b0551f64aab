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
        private final long order;

        Batch(long sequence, byte[] payload, long order) {
            this.sequence = sequence;
            this.payload = payload;
            this.order = order;
        }

        long sequence() {
            return sequence;
        }

        byte[] payload() {
            return payload;
        }

        /** Came before the last replay was asked for, whose answers are therefore newer. */
        boolean isOlderThan(long question) {
            return order <= question;
        }
    }

    private final long maxBytes;
    private final Deque<Batch> batches = new ArrayDeque<>();
    private long bytes;
    private long orders;

    PendingBatches(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A batch that comes now. */
    Batch batch(long sequence, byte[] payload) {
        return new Batch(sequence, payload, ++orders);
    }

    /** Tells the batches that have come so far from those that come later. */
    long mark() {
        return orders;
    }

    void add(long sequence, byte[] payload) {
        if (batches.isEmpty() || bytes + payload.length + OVERHEAD <= maxBytes) {
            batches.addLast(batch(sequence, payload));
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

    void clear() {
        batches.clear();
        bytes = 0;
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
