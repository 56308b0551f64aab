/** Clients that each wait for an answer before the next request, give up after a while, and remember what they got. */
@NullMarked
package io.kvrouter.bench.patience;

import org.jspecify.annotations.NullMarked;
