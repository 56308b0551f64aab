/** Bodies on their way from a Netty channel into a stream. */
@NullMarked
package io.kvrouter.http.feed;

import org.jspecify.annotations.NullMarked;
