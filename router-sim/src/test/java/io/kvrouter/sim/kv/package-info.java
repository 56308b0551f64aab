/** Tests of what carries KV events. */
@NullMarked
package io.kvrouter.sim.kv;

import org.jspecify.annotations.NullMarked;
