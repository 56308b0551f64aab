/** Limits of callers that hold for a whole cluster, while each node decides by itself. */
@NullMarked
package io.kvrouter.access.share;

import org.jspecify.annotations.NullMarked;
