package io.kvrouter.bench.overload;

import io.kvrouter.bench.Samples;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What clients got: how long the good answers took, and how many others there were. Safe for use by several threads. */
final class Answers {
    private final ConcurrentLinkedQueue<Long> good = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> others = new TreeMap<>();

    void good(long nanos) {
        good.add(nanos);
    }

    synchronized void other(String what) {
        others.merge(what, 1, Integer::sum);
    }

    int goodCount() {
        return good.size();
    }

    /** From when they were due to their last byte. */
    Samples latencies() {
        return Samples.of(good.stream().mapToLong(Long::longValue).toArray());
    }

    synchronized Map<String, Integer> others() {
        return new TreeMap<>(others);
    }
}
