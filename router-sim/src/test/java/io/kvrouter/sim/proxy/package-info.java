@NullMarked
package io.kvrouter.sim.proxy;

import org.jspecify.annotations.NullMarked;
