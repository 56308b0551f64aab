/** What one node contributes to the load of the fleet, as the nodes replicate and merge it. */
@NullMarked
package io.kvrouter.load.slice;

import org.jspecify.annotations.NullMarked;
