/** What a turn asks for: the request as routing sees it, and its prompt, read when it is first wanted. */
@NullMarked
package io.kvrouter.http.turn.request;

import org.jspecify.annotations.NullMarked;
