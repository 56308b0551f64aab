/** The cluster that a benchmark starts: nodes as processes of their own, and what their management tells. */
@NullMarked
package io.kvrouter.bench.cluster;

import org.jspecify.annotations.NullMarked;
