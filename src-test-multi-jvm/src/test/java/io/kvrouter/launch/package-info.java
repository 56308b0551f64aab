/** The script {@code ./router}, before any of our own Java runs. */
@NullMarked
package io.kvrouter.launch;

import org.jspecify.annotations.NullMarked;
