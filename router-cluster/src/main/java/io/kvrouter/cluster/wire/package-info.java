/** The byte form of messages and replicated values that have serializers of their own. */
@NullMarked
package io.kvrouter.cluster.wire;

import org.jspecify.annotations.NullMarked;
