/** How much of a prompt each worker's cache holds, by all that this node knows. */
@NullMarked
package io.kvrouter.overlap;

import org.jspecify.annotations.NullMarked;
