/** Tests of how sessions are played. */
@NullMarked
package io.kvrouter.bench.fleet.load;

import org.jspecify.annotations.NullMarked;
