/** Whether a node should get requests, or be restarted, as probes ask it. */
@NullMarked
package io.kvrouter.http.management.health;

import org.jspecify.annotations.NullMarked;
