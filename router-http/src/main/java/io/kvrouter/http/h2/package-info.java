/** The API by HTTP/2, on a port of its own: each stream is one exchange, as a request of an HTTP/1.1 connection is. */
@NullMarked
package io.kvrouter.http.h2;

import org.jspecify.annotations.NullMarked;
