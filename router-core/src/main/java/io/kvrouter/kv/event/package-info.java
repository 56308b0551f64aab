/** KV events: what engines publish of their caches, and how it becomes blocks of the index. */
@NullMarked
package io.kvrouter.kv.event;

import org.jspecify.annotations.NullMarked;
