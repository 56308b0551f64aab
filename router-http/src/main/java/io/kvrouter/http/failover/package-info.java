/** What a node's requests tell of its workers, and what they may do when a worker does not take them. */
@NullMarked
package io.kvrouter.http.failover;

import org.jspecify.annotations.NullMarked;
