/** KV blocks: how a prompt becomes block hashes, and what is known of the blocks that workers hold. */
@NullMarked
package io.kvrouter.kv;

import org.jspecify.annotations.NullMarked;
