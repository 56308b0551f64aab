/** The OpenAI dialect: what routing reads of a request, and how errors look. */
@NullMarked
package io.kvrouter.http.openai;

import org.jspecify.annotations.NullMarked;
