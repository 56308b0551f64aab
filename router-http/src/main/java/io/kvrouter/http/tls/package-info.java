/** TLS of a node's faces, by PEM files that may change while it runs. */
@NullMarked
package io.kvrouter.http.tls;

import org.jspecify.annotations.NullMarked;
