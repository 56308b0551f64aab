/** Workers and clients of raw sockets, for tests of what goes over the wire. */
@NullMarked
package io.kvrouter.http.testing;

import org.jspecify.annotations.NullMarked;
