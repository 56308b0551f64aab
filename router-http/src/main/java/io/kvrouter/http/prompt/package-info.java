/** Where prompts come from: tokens where they can be had, text where not. */
@NullMarked
package io.kvrouter.http.prompt;

import org.jspecify.annotations.NullMarked;
