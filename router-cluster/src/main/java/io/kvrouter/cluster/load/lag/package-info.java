/** How far behind the other nodes' views of this node's load are. */
@NullMarked
package io.kvrouter.cluster.load.lag;

import org.jspecify.annotations.NullMarked;
