package io.kvrouter.bench.faults.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What clients got. Safe for use by several threads. */
public final class Tally {
    private static final int SHOWN = 20;

    private final Predicate<String> caused;
    private final Map<String, Long> counts = new TreeMap<>();
    private final List<String> uncaused = new ArrayList<>();
    private long sent;
    private long stuck;

    /** The predicate tells whether a fault met the request of an id. */
    public Tally(Predicate<String> caused) {
        this.caused = caused;
    }

    synchronized void sent() {
        sent++;
    }

    synchronized void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    /** A client that waited for its answer got no good one. */
    void failed(String id, String how) {
        boolean known = caused.test(id);
        synchronized (this) {
            count(how);
            if (!known) {
                uncaused.add(id + " " + how);
            }
        }
    }

    /** Neither an answer nor an end came. */
    synchronized void stuck(String id) {
        count("stuck");
        stuck++;
        uncaused.add(id + " stuck");
    }

    public synchronized long requests() {
        return sent;
    }

    /** Requests that got so many of what. */
    public synchronized Map<String, Long> counts() {
        return new TreeMap<>(counts);
    }

    public synchronized long stuck() {
        return stuck;
    }

    /** Failures that no fault explains, the first of them. */
    public synchronized List<String> uncaused() {
        return List.copyOf(uncaused.subList(0, Math.min(SHOWN, uncaused.size())));
    }
}
