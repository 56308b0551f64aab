/** Forwarding over Netty: a keep-alive pool per event loop and worker, strict HTTP/1.1, back-pressure. */
@NullMarked
package io.kvrouter.http.upstream.netty;

import org.jspecify.annotations.NullMarked;
