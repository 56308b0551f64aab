/** Reservations of callers that forward themselves: whoever is asked about one finds the node that holds it. */
@NullMarked
package io.kvrouter.cluster.reservation;

import org.jspecify.annotations.NullMarked;
