package io.kvrouter.bench.soak.leak;

/**
 * Something that should not be there when nothing is asked of the cluster.
 *
 * @param kind what it is
 * @param where the node that shows it, or the worker
 * @param what how much of it
 */
public record Leak(String kind, String where, String what) {
    @Override
    public String toString() {
        return kind + " at " + where + ": " + what;
    }
}
