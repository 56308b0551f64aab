/** Tests of tokenizers, on small ones made here. */
@NullMarked
package io.kvrouter.http.tokenizer;

import org.jspecify.annotations.NullMarked;
