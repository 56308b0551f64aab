package io.kvrouter.cluster.load.lag;

/**
 * What one other node is known to see of this node's load. One thread writes, any may read.
 */
public final class PeerLag {
    private final LagHistogram lag = new LagHistogram();
    private volatile long visibleBookings;

    /** It answered a probe. */
    public void answered(LagProbes.Probe probe, long nanos) {
        probe.oldestChange().ifPresent(made -> lag.add(nanos - made));
        visibleBookings = Math.max(visibleBookings, probe.bookings());
    }

    public LagHistogram.Snapshot lag() {
        return lag.snapshot();
    }

    /** Of the reservations that this node ever made, how many it has seen, by its last answer. */
    public long visibleBookings() {
        return visibleBookings;
    }
}
