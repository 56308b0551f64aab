/** A node: where all parts are put together, started and stopped. */
@NullMarked
package io.kvrouter.http.node;

import org.jspecify.annotations.NullMarked;
