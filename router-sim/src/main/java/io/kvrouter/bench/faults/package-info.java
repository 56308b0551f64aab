/** A node whose workers, network and clients fail in every way: what it does then, and that nothing is left of it. */
@NullMarked
package io.kvrouter.bench.faults;

import org.jspecify.annotations.NullMarked;
