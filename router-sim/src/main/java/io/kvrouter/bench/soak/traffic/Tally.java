package io.kvrouter.bench.soak.traffic;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often what happened. Any thread. */
public final class Tally {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    public void count(String what) {
        counts.computeIfAbsent(what, name -> new LongAdder()).increment();
    }

    /** So far, by name. */
    public SortedMap<String, Long> counts() {
        SortedMap<String, Long> all = new TreeMap<>();
        counts.forEach((name, count) -> all.put(name, count.sum()));
        return all;
    }
}
