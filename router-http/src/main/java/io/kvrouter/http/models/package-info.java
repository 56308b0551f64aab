/** Models by their names: those under which requests ask for them, and what engines tell of them. */
@NullMarked
package io.kvrouter.http.models;

import org.jspecify.annotations.NullMarked;
