/** Time as the cluster's nodes tell it to each other. */
@NullMarked
package io.kvrouter.cluster.time;

import org.jspecify.annotations.NullMarked;
