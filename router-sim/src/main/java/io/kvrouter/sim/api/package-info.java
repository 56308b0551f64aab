/** The simulated worker's side of the OpenAI and vLLM protocols: bodies in, bodies out. No network. */
@NullMarked
package io.kvrouter.sim.api;

import org.jspecify.annotations.NullMarked;
