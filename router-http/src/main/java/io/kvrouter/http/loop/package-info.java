/** Event loops that the server and the upstream share, and the dispatcher that keeps a chunk on one of them. */
@NullMarked
package io.kvrouter.http.loop;

import org.jspecify.annotations.NullMarked;
