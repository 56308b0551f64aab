/**
 * One cap of a worker for all nodes: permits that are handed from node to node by an office, so that together they never
 * have more of them than the cap. Pure; the cluster carries what they tell one another.
 */
@NullMarked
package io.kvrouter.permit;

import org.jspecify.annotations.NullMarked;
