package io.kvrouter.cluster.binding;

import java.util.concurrent.atomic.LongAdder;

/** How often this node wrote bindings, and what became of it. */
public final class BindingCounts {
    private final LongAdder rows = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder unconfirmed = new LongAdder();

    void write(int written) {
        writes.increment();
        rows.add(written);
    }

    void unconfirmed() {
        unconfirmed.increment();
    }

    /** Rows that this node's session actors published. */
    public long rows() {
        return rows.sum();
    }

    /** Writes, each of one table to all nodes. */
    public long writes() {
        return writes.sum();
    }

    /** Writes that not all nodes confirmed in time; gossip heals them. */
    public long unconfirmedWrites() {
        return unconfirmed.sum();
    }
}
