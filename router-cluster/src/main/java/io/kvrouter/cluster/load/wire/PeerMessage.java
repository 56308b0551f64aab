package io.kvrouter.cluster.load.wire;

import org.apache.pekko.cluster.UniqueAddress;

/** What one node's load actor tells another's. Any of them may be lost: the replicated value makes good for it. */
public sealed interface PeerMessage {
    /**
     * Rows of the sender's slice that changed.
     *
     * @param bytes the rows, as {@link SliceCodec} writes them: written once, whatever the number of receivers
     * @param probe if not 0, the receiver says when it has them, by this number
     */
    @SuppressWarnings("ArrayRecordComponent") // a message on its way: nobody compares or keeps it
    record Update(UniqueAddress from, byte[] bytes, long probe) implements PeerMessage {}

    /** The receiver's selection sees the update with this probe, and all before it that arrived. */
    record Applied(UniqueAddress by, long probe) implements PeerMessage {}
}
