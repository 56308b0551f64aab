/** Tests of the arithmetic of the fleet benchmark. */
@NullMarked
package io.kvrouter.bench.fleet;

import org.jspecify.annotations.NullMarked;
