/** Tests. */
@NullMarked
package io.kvrouter.bench.proxy.peer;

import org.jspecify.annotations.NullMarked;
