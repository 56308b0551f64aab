/** The bindings' changes for readers outside the cluster: the latest state of each session, however slow they read. */
@NullMarked
package io.kvrouter.cluster.binding.updates;

import org.jspecify.annotations.NullMarked;
