/** Clients that leave at any byte, and callers of the selection API that die. */
@NullMarked
package io.kvrouter.bench.soak.traffic;

import org.jspecify.annotations.NullMarked;
