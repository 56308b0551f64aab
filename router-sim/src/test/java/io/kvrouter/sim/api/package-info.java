/** Tests of the simulated worker's tokens. */
@NullMarked
package io.kvrouter.sim.api;

import org.jspecify.annotations.NullMarked;
