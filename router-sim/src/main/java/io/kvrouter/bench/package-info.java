/** Benchmarks of the router as it is, in processes of its own: the command {@code ./router bench}. */
@NullMarked
package io.kvrouter.bench;

import org.jspecify.annotations.NullMarked;
