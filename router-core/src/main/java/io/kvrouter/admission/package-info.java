/** Admission: which requests go on, which wait, and which are sent away, so that nobody has more than it may. */
@NullMarked
package io.kvrouter.admission;

import org.jspecify.annotations.NullMarked;
