/** What the nodes tell one another of the callers' caps. */
@NullMarked
package io.kvrouter.cluster.caller;

import org.jspecify.annotations.NullMarked;
