/** Measures a whole fleet: nodes, simulated engines and agents' sessions: {@code ./router bench fleet}. */
@NullMarked
package io.kvrouter.bench.fleet;

import org.jspecify.annotations.NullMarked;
