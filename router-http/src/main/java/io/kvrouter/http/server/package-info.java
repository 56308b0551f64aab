/** The API port: one stage per connection that holds the exchange in flight and ends it once. */
@NullMarked
package io.kvrouter.http.server;

import org.jspecify.annotations.NullMarked;
