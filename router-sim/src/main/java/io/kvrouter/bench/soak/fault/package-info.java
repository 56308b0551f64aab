/** What goes wrong with workers and nodes meanwhile. */
@NullMarked
package io.kvrouter.bench.soak.fault;

import org.jspecify.annotations.NullMarked;
