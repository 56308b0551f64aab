/** Wears a cluster out with everything that clients, workers and nodes do, and looks for what is left when they stop. */
@NullMarked
package io.kvrouter.bench.soak;

import org.jspecify.annotations.NullMarked;
