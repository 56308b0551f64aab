/** The register of workers: the same on every node, without an external store. */
@NullMarked
package io.kvrouter.cluster.worker;

import org.jspecify.annotations.NullMarked;
