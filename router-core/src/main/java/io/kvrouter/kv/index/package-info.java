/** Who holds which prefix: the blocks of every worker's KV cache, as its events tell, and one walk for a prompt's overlap. */
@NullMarked
package io.kvrouter.kv.index;

import org.jspecify.annotations.NullMarked;
