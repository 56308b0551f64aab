/** Load in the cluster: the actor that owns this node's bookings, and the slices that the nodes replicate. */
@NullMarked
package io.kvrouter.cluster.load;

import org.jspecify.annotations.NullMarked;
