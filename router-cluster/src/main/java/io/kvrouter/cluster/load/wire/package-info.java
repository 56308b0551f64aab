/** Load on its way between nodes: the replicated value, the messages beside it, and their bytes. */
@NullMarked
package io.kvrouter.cluster.load.wire;

import org.jspecify.annotations.NullMarked;
