/** The replicated memory of the bindings: its tables in Distributed Data, their writer, their replica, and how a node joins. */
@NullMarked
package io.kvrouter.cluster.binding;

import org.jspecify.annotations.NullMarked;
