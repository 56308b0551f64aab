package io.kvrouter.bench.patience;

import io.kvrouter.bench.Samples;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongPredicate;

/** What clients got: how long the good answers took, and how many others there were. Safe for use by several threads. */
public final class Answers {
    private final ConcurrentLinkedQueue<Good> good = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> others = new TreeMap<>();

    private record Good(long due, long ended) {}

    /**
     * One more good answer; times are those of {@link System#nanoTime}.
     *
     * @param due when its request was to be sent
     * @param ended when its last byte was there
     */
    public void good(long due, long ended) {
        good.add(new Good(due, ended));
    }

    /** One more that was not. */
    public synchronized void other(String what) {
        others.merge(what, 1, Integer::sum);
    }

    public int goodCount() {
        return good.size();
    }

    /** From when they were due to their last byte. */
    public Samples latencies() {
        return latencies(ended -> true);
    }

    /** Only of those whose last byte came in this time; its end is not part of it. */
    public Samples latencies(long from, long to) {
        return latencies(ended -> ended - from >= 0 && ended - to < 0);
    }

    private Samples latencies(LongPredicate when) {
        return Samples.of(good.stream()
                .filter(one -> when.test(one.ended))
                .mapToLong(one -> one.ended - one.due)
                .toArray());
    }

    public synchronized Map<String, Integer> others() {
        return new TreeMap<>(others);
    }
}
