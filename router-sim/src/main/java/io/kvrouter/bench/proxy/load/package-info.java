/** The client's side of a proxy benchmark: requests and streams over one way to the engine, and what they tell. */
@NullMarked
package io.kvrouter.bench.proxy.load;

import org.jspecify.annotations.NullMarked;
