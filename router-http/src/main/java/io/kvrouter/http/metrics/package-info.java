/** What a node tells Prometheus. No session id, prompt or key is in a label. */
@NullMarked
package io.kvrouter.http.metrics;

import org.jspecify.annotations.NullMarked;
