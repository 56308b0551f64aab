/** The authority on each session: one sharded actor, and what the ingress asks it. */
@NullMarked
package io.kvrouter.cluster.session;

import org.jspecify.annotations.NullMarked;
