package io.kvrouter.cluster.load;

import io.kvrouter.cluster.load.lag.ClockOffset;
import io.kvrouter.cluster.load.lag.PeerLag;
import io.kvrouter.load.slice.LoadSlice;
import org.apache.pekko.cluster.UniqueAddress;

/**
 * The last known slice of another member.
 *
 * @param heardAt when this version of it arrived, in ms of this node's clock
 * @param lag how far behind its view of this node's load is
 * @param clock how far its clock is from this node's
 */
record PeerSlice(UniqueAddress node, LoadSlice slice, long heardAt, PeerLag lag, ClockOffset clock) {
    /** A node of which nothing was heard yet. */
    static PeerSlice unheard(UniqueAddress node, long now) {
        return new PeerSlice(node, LoadSlice.EMPTY, now, new PeerLag(), new ClockOffset());
    }

    /** With what is known now; what was written later than all before tells the node's clock too. */
    PeerSlice with(LoadSlice merged, long now) {
        boolean newer = merged.head().version() > slice.head().version();
        if (newer) {
            clock.heard(merged.head().clock(), now);
        }
        return new PeerSlice(node, merged, newer ? now : heardAt, lag, clock);
    }
}
