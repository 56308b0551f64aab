package io.kvrouter.cluster.load;

import io.kvrouter.load.LoadSlice;

/**
 * The last known slice of another member.
 *
 * @param node its address
 * @param heardAt when this version of it arrived, in ms of this node's clock
 */
record PeerSlice(String node, LoadSlice slice, long heardAt) {}
