/** Compares what the router takes to be cached with what the engines find, over many conversations. */
@NullMarked
package io.kvrouter.bench.overlap;

import org.jspecify.annotations.NullMarked;
