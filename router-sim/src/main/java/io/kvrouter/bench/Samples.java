package io.kvrouter.bench;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Latencies as they were measured, in nanoseconds: no buckets, nothing corrected, nothing left out. Percentiles are
 * samples, by nearest rank.
 */
public final class Samples {
    /** 99.9 % of 1,000 is 999, but a trifle more in binary. */
    private static final double ROUNDING = 1e-6;

    private final long[] sorted;

    private Samples(long[] sorted) {
        this.sorted = sorted;
    }

    public static Samples of(long... nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new Samples(sorted);
    }

    public int count() {
        return sorted.length;
    }

    /** The least sample that so many per cent of all do not exceed; 0 without any sample. */
    public long percentile(double percent) {
        if (!(percent > 0 && percent <= 100)) {
            throw new IllegalArgumentException("percentile: " + percent + " (expected: over 0, at most 100)");
        }
        if (sorted.length == 0) {
            return 0;
        }
        double rank = percent / 100 * sorted.length;
        return sorted[Math.max(1, (int) Math.ceil(rank - ROUNDING)) - 1];
    }

    /** All of them, ascending. */
    public LongStream stream() {
        return Arrays.stream(sorted);
    }
}
