package io.kvrouter.cluster.binding;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** How often this node wrote bindings, and what became of it. Any thread. */
public final class BindingCounts {
    private final LongAdder rows = new LongAdder();
    private final LongAdder refreshes = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder unconfirmed = new LongAdder();
    private final LongAdder bounded = new LongAdder();
    private final LongAdder swept = new LongAdder();
    private final Lag lag = new Lag();

    void published(boolean refresh) {
        rows.increment();
        if (refresh) {
            refreshes.increment();
        }
    }

    void write() {
        writes.increment();
    }

    void confirmed(Duration sinceFirstRow) {
        lag.add(sinceFirstRow);
    }

    void unconfirmed() {
        unconfirmed.increment();
    }

    void bounded(int dropped) {
        bounded.add(dropped);
    }

    void swept(int dropped) {
        swept.add(dropped);
    }

    /** Rows that this node's session actors published. */
    public long rows() {
        return rows.sum();
    }

    /** Those of them that only moved a deadline. */
    public long refreshes() {
        return refreshes.sum();
    }

    /** Messages with rows, each to all other nodes. */
    public long writes() {
        return writes.sum();
    }

    /** Messages that some node did not confirm in time; Distributed Data heals them. */
    public long unconfirmedWrites() {
        return unconfirmed.sum();
    }

    /** Rows that this node dropped because their table was over its bound. */
    public long boundedRows() {
        return bounded.sum();
    }

    /** Rows that this node dropped past their deadline. */
    public long sweptRows() {
        return swept.sum();
    }

    /**
     * From when a new, changed or removed binding was made until all nodes have confirmed it: on this node's clock
     * alone. Of the rows of one message the oldest counts.
     */
    public Lag lag() {
        return lag;
    }

    /** Counts of durations by upper limits that double from 1 ms to 16 s. Any thread. */
    public static final class Lag {
        private static final int LIMITS = 15;

        private final AtomicLongArray counts = new AtomicLongArray(LIMITS + 1);
        private final LongAdder nanos = new LongAdder();

        void add(Duration duration) {
            nanos.add(duration.toNanos());
            int bucket = 0;
            while (bucket < LIMITS && duration.compareTo(Duration.ofMillis(1L << bucket)) > 0) {
                bucket++;
            }
            counts.incrementAndGet(bucket);
        }

        /** The upper limits in seconds; there is one count more. */
        public static double[] limits() {
            double[] limits = new double[LIMITS];
            for (int i = 0; i < LIMITS; i++) {
                limits[i] = (1L << i) / 1_000.0;
            }
            return limits;
        }

        /** How many were up to each limit and over the one before; the last: over all of them. */
        public long[] counts() {
            long[] all = new long[LIMITS + 1];
            for (int i = 0; i <= LIMITS; i++) {
                all[i] = counts.get(i);
            }
            return all;
        }

        /** All durations together, in seconds. */
        public double sum() {
            return nanos.sum() / 1e9;
        }
    }
}
