package io.kvrouter.bench.cluster;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A histogram of a node, in seconds: how many values each bucket has by itself, by the bucket's upper bound. Those of
 * several nodes add up, and the difference of two of one node is what came between.
 */
public record Buckets(SortedMap<Double, Long> counts) {
    public static final Buckets EMPTY = new Buckets(new TreeMap<>());

    private static final double MS = 1e3;

    public Buckets {
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }

    /** From counts that each include all lower ones, as Prometheus has them. */
    static Buckets ofCumulative(SortedMap<Double, Long> cumulative) {
        SortedMap<Double, Long> own = new TreeMap<>();
        long before = 0;
        for (var bucket : cumulative.entrySet()) {
            own.put(bucket.getKey(), bucket.getValue() - before);
            before = bucket.getValue();
        }
        return new Buckets(own);
    }

    public Buckets plus(Buckets other) {
        SortedMap<Double, Long> sum = new TreeMap<>(counts);
        other.counts.forEach((bound, count) -> sum.merge(bound, count, Long::sum));
        return new Buckets(sum);
    }

    /** What came since then. */
    public Buckets since(Buckets before) {
        SortedMap<Double, Long> rest = new TreeMap<>(counts);
        before.counts.forEach((bound, count) -> rest.merge(bound, -count, Long::sum));
        return new Buckets(rest);
    }

    public long count() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** In ms: within its bucket as if values lay evenly; the bucket's lower bound where the upper one is infinite. */
    public double percentileMs(double percent) {
        double rank = percent / 100 * count();
        double lower = 0;
        double below = 0;
        for (var bucket : counts.entrySet()) {
            double upper = Double.isInfinite(bucket.getKey()) ? lower : bucket.getKey();
            if (bucket.getValue() > 0 && below + bucket.getValue() >= rank) {
                return MS * (lower + (upper - lower) * (rank - below) / bucket.getValue());
            }
            below += bucket.getValue();
            lower = upper;
        }
        return MS * lower;
    }

    /** In ms: the greatest value is at most this, the upper bound of the last bucket that has any. 0 without any. */
    public double mostMs() {
        return MS
                * counts.entrySet().stream()
                        .filter(bucket -> bucket.getValue() > 0)
                        .mapToDouble(Map.Entry::getKey)
                        .max()
                        .orElse(0);
    }
}
