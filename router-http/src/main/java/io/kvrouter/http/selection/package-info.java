/** The selection API: for callers with a data plane of their own, which ask where to go and say how it went. */
@NullMarked
package io.kvrouter.http.selection;

import org.jspecify.annotations.NullMarked;
