/** The bound sessions of the whole cluster as an operator sees them: page by page, counted, unbound. */
@NullMarked
package io.kvrouter.cluster.overview;

import org.jspecify.annotations.NullMarked;
