/** The bindings' changes as a stream of server-sent events. */
@NullMarked
package io.kvrouter.http.selection.updates;

import org.jspecify.annotations.NullMarked;
