package io.kvrouter.cluster.load.lag;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * How often which lag was measured, in fixed classes: of 1 ms where it matters. Metrics show fewer, wider ones, since each
 * is a series for each pair of nodes. One thread adds, any may read.
 */
public final class LagHistogram {
    /** Upper bounds in ms. Each bound that is shown is one of them. */
    private static final long[] BOUNDS_MS = Stream.of(
                    steps(1, 100, 1),
                    steps(105, 200, 5),
                    steps(220, 500, 20),
                    steps(600, 1_000, 100),
                    steps(2_000, 5_000, 1_000))
            .flatMapToLong(steps -> steps)
            .toArray();

    private static final long[] SHOWN_MS = {
        1, 2, 3, 4, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100, 150, 200, 300, 500, 1_000, 2_000, 5_000
    };
    private static final double NANOS_PER_MS = 1e6;
    private static final double MS_PER_SECOND = 1e3;

    private final AtomicLongArray counts = new AtomicLongArray(BOUNDS_MS.length + 1);
    private final DoubleAdder sumMs = new DoubleAdder();
    private final DoubleAccumulator mostMs = new DoubleAccumulator(Math::max, 0);

    private static LongStream steps(long first, long last, long step) {
        return LongStream.iterate(first, bound -> bound <= last, bound -> bound + step);
    }

    void add(long nanos) {
        double ms = Math.max(0, nanos) / NANOS_PER_MS;
        int at = Arrays.binarySearch(BOUNDS_MS, (long) Math.ceil(ms));
        int bucket = at >= 0 ? at : -1 - at;
        sumMs.add(ms);
        mostMs.accumulate(ms);
        counts.setRelease(bucket, counts.getPlain(bucket) + 1);
    }

    /** As it is now. */
    public Snapshot snapshot() {
        long[] copy = new long[counts.length()];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = counts.getAcquire(i);
        }
        return new Snapshot(copy, sumMs.sum(), mostMs.get());
    }

    /** What was measured up to a moment. */
    public static final class Snapshot {
        private final long[] counts;
        private final double sumMs;
        private final double mostMs;

        private Snapshot(long[] counts, double sumMs, double mostMs) {
            this.counts = counts;
            this.sumMs = sumMs;
            this.mostMs = mostMs;
        }

        /** Nothing was measured. */
        public static Snapshot empty() {
            return new LagHistogram().snapshot();
        }

        /** Of counts that were taken from another. */
        public static Snapshot of(long[] counts, double mostMs) {
            if (counts.length != BOUNDS_MS.length + 1) {
                throw new IllegalArgumentException(
                        "lag: " + counts.length + " classes (expected: " + (BOUNDS_MS.length + 1) + ")");
            }
            return new Snapshot(counts.clone(), 0, mostMs);
        }

        /** All of them together. */
        public static Snapshot sum(Collection<Snapshot> parts) {
            long[] counts = new long[BOUNDS_MS.length + 1];
            parts.forEach(part -> Arrays.setAll(counts, i -> counts[i] + part.counts[i]));
            return new Snapshot(
                    counts,
                    parts.stream().mapToDouble(part -> part.sumMs).sum(),
                    parts.stream().mapToDouble(part -> part.mostMs).max().orElse(0));
        }

        /** Upper bounds in seconds of the classes that metrics show, the last one infinite. */
        public double[] shownBounds() {
            double[] bounds = Arrays.copyOf(
                    LongStream.of(SHOWN_MS)
                            .mapToDouble(ms -> ms / MS_PER_SECOND)
                            .toArray(),
                    SHOWN_MS.length + 1);
            bounds[SHOWN_MS.length] = Double.POSITIVE_INFINITY;
            return bounds;
        }

        /** Measurements in each of them. */
        public long[] shownCounts() {
            long[] shown = new long[SHOWN_MS.length + 1];
            for (int i = 0, to = 0; i < counts.length; i++) {
                while (to < SHOWN_MS.length && (i == BOUNDS_MS.length || BOUNDS_MS[i] > SHOWN_MS[to])) {
                    to++;
                }
                shown[to] += counts[i];
            }
            return shown;
        }

        /** Measurements in each class. */
        public long[] counts() {
            return counts.clone();
        }

        public long count() {
            return Arrays.stream(counts).sum();
        }

        public double sumSeconds() {
            return sumMs / MS_PER_SECOND;
        }

        /** The longest in ms. */
        public double mostMs() {
            return mostMs;
        }

        /** The bound in ms below which that share of the measurements lies; 0 without any. */
        public double quantileMs(double share) {
            double left = share * (double) count();
            for (int i = 0; i < BOUNDS_MS.length; i++) {
                left -= counts[i];
                if (left <= 0) {
                    return Math.min((double) BOUNDS_MS[i], mostMs);
                }
            }
            return mostMs;
        }

        /** What was measured since an earlier snapshot; its longest is the longest of all. */
        public Snapshot since(Snapshot earlier) {
            long[] later = counts.clone();
            for (int i = 0; i < later.length; i++) {
                later[i] -= earlier.counts[i];
            }
            return new Snapshot(later, sumMs - earlier.sumMs, mostMs);
        }
    }
}
