/** A node under more requests than its workers can serve, with admission and without it. */
@NullMarked
package io.kvrouter.bench.overload;

import org.jspecify.annotations.NullMarked;
