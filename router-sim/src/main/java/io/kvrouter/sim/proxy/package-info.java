/** A network that fails, between a router and its workers. */
@NullMarked
package io.kvrouter.sim.proxy;

import org.jspecify.annotations.NullMarked;
