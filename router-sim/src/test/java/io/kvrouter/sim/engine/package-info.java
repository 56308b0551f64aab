/** Tests of the simulated engine, on a virtual clock. */
@NullMarked
package io.kvrouter.sim.engine;

import org.jspecify.annotations.NullMarked;
