/** A whole cluster's sessions as a seeded simulation: the real states and tables, everything else a small model. */
@NullMarked
package io.kvrouter.session.world;

import org.jspecify.annotations.NullMarked;
