/** What follows from workers that fail: when a worker gets no requests, when again, and who may try another one. */
@NullMarked
package io.kvrouter.failover;

import org.jspecify.annotations.NullMarked;
