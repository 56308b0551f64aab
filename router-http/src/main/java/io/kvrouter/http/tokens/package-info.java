/** The tokens of a request's prompt, as its engine will have them. */
@NullMarked
package io.kvrouter.http.tokens;

import org.jspecify.annotations.NullMarked;
