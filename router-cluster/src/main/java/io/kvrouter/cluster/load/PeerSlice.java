package io.kvrouter.cluster.load;

import io.kvrouter.cluster.load.lag.PeerLag;
import io.kvrouter.load.slice.LoadSlice;
import org.apache.pekko.cluster.UniqueAddress;

/**
 * The last known slice of another member.
 *
 * @param heardAt when this version of it arrived, in ms of this node's clock
 * @param lag how far behind its view of this node's load is
 */
record PeerSlice(UniqueAddress node, LoadSlice slice, long heardAt, PeerLag lag) {}
