/** The edge for operators: workers, load, sessions and shards of the cluster, beside Pekko Management's own routes. */
@NullMarked
package io.kvrouter.http.management;

import org.jspecify.annotations.NullMarked;
