/** Clients that behave badly, and what they say of the answers. */
@NullMarked
package io.kvrouter.bench.faults.client;

import org.jspecify.annotations.NullMarked;
