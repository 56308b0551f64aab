/** Booking: selecting a worker and reserving its capacity as one step. */
@NullMarked
package io.kvrouter.booking;

import org.jspecify.annotations.NullMarked;
