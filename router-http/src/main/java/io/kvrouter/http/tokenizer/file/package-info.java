/** What a model's tokenizer files say, and the tokens in them that are found in a text first. */
@NullMarked
package io.kvrouter.http.tokenizer.file;

import org.jspecify.annotations.NullMarked;
