/** Measures the replication of load alone: how soon bookings are seen by the other nodes, and what that costs. */
@NullMarked
package io.kvrouter.bench.load;

import org.jspecify.annotations.NullMarked;
