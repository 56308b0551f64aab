package io.kvrouter.sim.kv;

/** Something to go wrong with a stream of KV events. */
public sealed interface StreamFault {
    /** The next batches are not sent; a replay has them. */
    record Drop(int batches) implements StreamFault {}

    /** From now on this share of the batches is not sent; 0 ends it. */
    record DropShare(double share) implements StreamFault {}

    /** The next batches are sent twice. */
    record Repeat(int batches) implements StreamFault {}

    /** So often from now on, a batch is sent after the one that follows it. */
    record Reorder(int times) implements StreamFault {}

    /** As if the engine had restarted: the sequence begins at 0 again, nothing is left to replay. */
    record Restart() implements StreamFault {}

    /** So many batches that cannot be read are sent at once. */
    record MalformedBatches(int batches) implements StreamFault {}

    /** The next batches have events among theirs that cannot be read or make no sense. */
    record MalformedEvents(int batches) implements StreamFault {}

    /** Replays leave out what is older than this sequence number, until the stream restarts. */
    record ReplayFrom(long sequence) implements StreamFault {}
}
