/** KV events of simulated engines: vLLM's ZeroMQ streams with replay, and what can go wrong with them. */
@NullMarked
package io.kvrouter.sim.kv;

import org.jspecify.annotations.NullMarked;
