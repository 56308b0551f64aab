/** What this node knows of all KV caches: one index per routing group and model, one stream per worker and rank. */
@NullMarked
package io.kvrouter.kv.fleet;

import org.jspecify.annotations.NullMarked;
