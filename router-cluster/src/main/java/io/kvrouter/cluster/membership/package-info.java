/** How a node joins the cluster, and which of its settings the cluster's parts share. */
@NullMarked
package io.kvrouter.cluster.membership;

import org.jspecify.annotations.NullMarked;
