/** The event stream of one rank: order, gaps, replays, restarts. Without I/O and without a clock. */
@NullMarked
package io.kvrouter.kv.stream;

import org.jspecify.annotations.NullMarked;
