/** What this node's own recent choices tell of the workers' caches. */
@NullMarked
package io.kvrouter.kv.recent;

import org.jspecify.annotations.NullMarked;
