/** Measures a cluster with many sessions while nodes die, leave, pause and join: {@code ./router bench sessions}. */
@NullMarked
package io.kvrouter.bench.sessions;

import org.jspecify.annotations.NullMarked;
