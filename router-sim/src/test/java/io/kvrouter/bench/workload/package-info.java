/** Tests of the sessions to play. */
@NullMarked
package io.kvrouter.bench.workload;

import org.jspecify.annotations.NullMarked;
