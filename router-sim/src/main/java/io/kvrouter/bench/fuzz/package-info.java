/** A node that gets, from both sides, what is not quite HTTP: what it does then, and that nothing is left of it. */
@NullMarked
package io.kvrouter.bench.fuzz;

import org.jspecify.annotations.NullMarked;
