/** Plays sessions against the ingress nodes of a fleet, and counts what became of their turns. */
@NullMarked
package io.kvrouter.bench.fleet.load;

import org.jspecify.annotations.NullMarked;
