package io.kvrouter.sim.kv;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last batches of a stream: as many as vLLM keeps, but no more than 64 MiB of them. */
final class ReplayBuffer {
    private static final long MAX_BYTES = 64L << 20;

    private final int maxBatches;
    private final Deque<Sequenced> batches = new ArrayDeque<>();
    private long bytes;
    private long floor;

    ReplayBuffer(int maxBatches) {
        this.maxBatches = maxBatches;
    }

    void add(Sequenced batch) {
        batches.addLast(batch);
        bytes += batch.size();
        while (batches.size() > maxBatches || bytes > MAX_BYTES) {
            bytes -= batches.removeFirst().size();
        }
    }

    /** What is left from this sequence number on. */
    List<Sequenced> from(long sequence) {
        long first = Math.max(sequence, floor);
        return batches.stream().filter(batch -> batch.sequence() >= first).toList();
    }

    /** Nothing older than this is given from now on. */
    void cutBefore(long sequence) {
        floor = sequence;
    }

    void clear() {
        batches.clear();
        bytes = 0;
        floor = 0;
    }
}
