/** Reservations of callers that forward themselves: each held by one node, with a lease, found from every node. */
@NullMarked
package io.kvrouter.http.reservation;

import org.jspecify.annotations.NullMarked;
