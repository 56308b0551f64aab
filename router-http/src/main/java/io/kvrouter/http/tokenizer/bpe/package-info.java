/** Byte-level byte pair encoding: the fast path. */
@NullMarked
package io.kvrouter.http.tokenizer.bpe;

import org.jspecify.annotations.NullMarked;
