/** How a node that joins takes what others know of the workers' KV caches. */
@NullMarked
package io.kvrouter.cluster.kv.join;

import org.jspecify.annotations.NullMarked;
