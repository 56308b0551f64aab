/** Where the permits of workers are shared out: one office for the cluster, and each node's way to it. */
@NullMarked
package io.kvrouter.cluster.permit;

import org.jspecify.annotations.NullMarked;
