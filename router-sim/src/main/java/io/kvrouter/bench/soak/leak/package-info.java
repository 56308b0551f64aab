/** What is left in the nodes when nothing is asked of them any more. */
@NullMarked
package io.kvrouter.bench.soak.leak;

import org.jspecify.annotations.NullMarked;
