/** The client's side of nodes: connections that are kept, the requests on them, and what became of each. */
@NullMarked
package io.kvrouter.bench.client;

import org.jspecify.annotations.NullMarked;
