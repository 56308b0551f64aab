/** Promises of a cluster, kept by real processes: nodes are child JVMs, the simulated workers live in the test's own. */
@NullMarked
package io.kvrouter.multijvm;

import org.jspecify.annotations.NullMarked;
