/** Turns of many sessions, sent at a pace through all nodes, and what their answers tell. */
@NullMarked
package io.kvrouter.bench.sessions.load;

import org.jspecify.annotations.NullMarked;
