/** Tokens as an engine itself makes them: asked of it, and compared with this router's. */
@NullMarked
package io.kvrouter.http.tokens.engine;

import org.jspecify.annotations.NullMarked;
