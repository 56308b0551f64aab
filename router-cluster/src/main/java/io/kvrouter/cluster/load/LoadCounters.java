package io.kvrouter.cluster.load;

/**
 * What the replication of load did since the start of this node.
 *
 * @param updatesMade updates that this node sent to all others, whole slices among them
 * @param updatesReceived updates of other nodes that arrived
 * @param updatesApplied those of them that told something new
 * @param updatesSkipped those that did not (all of it was known), or came from a node that is no member any more
 * @param bytesSent what the updates took, for all receivers together
 * @param bytesReceived what other nodes' direct updates took
 * @param writeTimeouts whole slices that some node did not acknowledge in time
 */
public record LoadCounters(
        long updatesMade,
        long updatesReceived,
        long updatesApplied,
        long updatesSkipped,
        long bytesSent,
        long bytesReceived,
        long writeTimeouts) {
    /** Nothing yet. */
    public static final LoadCounters NONE = new LoadCounters(0, 0, 0, 0, 0, 0, 0);

    LoadCounters made(long bytes) {
        return new LoadCounters(
                updatesMade + 1,
                updatesReceived,
                updatesApplied,
                updatesSkipped,
                bytesSent + bytes,
                bytesReceived,
                writeTimeouts);
    }

    LoadCounters received(boolean applied, long bytes) {
        return new LoadCounters(
                updatesMade,
                updatesReceived + 1,
                updatesApplied + (applied ? 1 : 0),
                updatesSkipped + (applied ? 0 : 1),
                bytesSent,
                bytesReceived + bytes,
                writeTimeouts);
    }

    LoadCounters timedOut() {
        return new LoadCounters(
                updatesMade,
                updatesReceived,
                updatesApplied,
                updatesSkipped,
                bytesSent,
                bytesReceived,
                writeTimeouts + 1);
    }
}
