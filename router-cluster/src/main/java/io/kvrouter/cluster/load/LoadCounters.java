package io.kvrouter.cluster.load;

/**
 * What the replication of load did since the start of this node.
 *
 * @param updatesMade updates that this node wrote
 * @param updatesReceived newer versions of other nodes' slices that it saw
 * @param writesDone updates that every node acknowledged in time
 * @param writeTimeouts updates that some node did not
 * @param writeNanos time from update to last acknowledgement, summed over {@code writesDone}: the lag by this node's
 *     own clock, so that no clock offset is in it; the peers' notification interval comes on top
 * @param slowestWriteNanos the longest of these
 */
public record LoadCounters(
        long updatesMade,
        long updatesReceived,
        long writesDone,
        long writeTimeouts,
        long writeNanos,
        long slowestWriteNanos) {
    static final LoadCounters NONE = new LoadCounters(0, 0, 0, 0, 0, 0);

    LoadCounters made() {
        return new LoadCounters(
                updatesMade + 1, updatesReceived, writesDone, writeTimeouts, writeNanos, slowestWriteNanos);
    }

    LoadCounters received(int updates) {
        return new LoadCounters(
                updatesMade, updatesReceived + updates, writesDone, writeTimeouts, writeNanos, slowestWriteNanos);
    }

    LoadCounters done(long nanos) {
        return new LoadCounters(
                updatesMade,
                updatesReceived,
                writesDone + 1,
                writeTimeouts,
                writeNanos + nanos,
                Math.max(slowestWriteNanos, nanos));
    }

    LoadCounters timedOut() {
        return new LoadCounters(
                updatesMade, updatesReceived, writesDone, writeTimeouts + 1, writeNanos, slowestWriteNanos);
    }
}
