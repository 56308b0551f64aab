/**
 * Tokenizers of models, from their {@code tokenizer.json}: Hugging Face's own library as the oracle, an own one for
 * byte-level BPE where both give the same ids.
 */
@NullMarked
package io.kvrouter.http.tokenizer;

import org.jspecify.annotations.NullMarked;
