/** The simulated engine: a pure model of a vLLM worker, driven by "advance to time t". No clock, no I/O. */
@NullMarked
package io.kvrouter.sim.engine;

import org.jspecify.annotations.NullMarked;
