/** The edge for clients: from an HTTP request to a turn. */
@NullMarked
package io.kvrouter.http.ingress;

import org.jspecify.annotations.NullMarked;
