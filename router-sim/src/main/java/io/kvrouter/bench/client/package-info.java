/** The client's side of nodes: connections that are kept, one request on each at a time, and what became of each. */
@NullMarked
package io.kvrouter.bench.client;

import org.jspecify.annotations.NullMarked;
