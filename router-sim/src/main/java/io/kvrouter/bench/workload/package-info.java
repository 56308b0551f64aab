/** Sessions to play: synthetic ones by the distributions of a recorded corpus, or the recorded ones of a file. */
@NullMarked
package io.kvrouter.bench.workload;

import org.jspecify.annotations.NullMarked;
