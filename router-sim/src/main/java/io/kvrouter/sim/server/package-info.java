/** The simulated engine behind HTTP: a worker as vLLM shows itself, with faults on request and a log of what came in. */
@NullMarked
package io.kvrouter.sim.server;

import org.jspecify.annotations.NullMarked;
