/** Engines as workers: health checks, and what an engine tells of itself. */
@NullMarked
package io.kvrouter.http.engine;

import org.jspecify.annotations.NullMarked;
