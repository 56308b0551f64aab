/** The sessions whose actors a node hosts: what only the actors know, read without waking one. */
@NullMarked
package io.kvrouter.cluster.hosted;

import org.jspecify.annotations.NullMarked;
