/** Tests of the simulated worker over HTTP. */
@NullMarked
package io.kvrouter.sim.server;

import org.jspecify.annotations.NullMarked;
