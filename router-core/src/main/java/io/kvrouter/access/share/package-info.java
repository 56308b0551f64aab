/** Caps of callers that hold for a whole cluster, of which each node has a share. */
@NullMarked
package io.kvrouter.access.share;

import org.jspecify.annotations.NullMarked;
