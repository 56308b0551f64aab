/** Commands that look at how prompts become tokens. */
@NullMarked
package io.kvrouter.cli.tokens;

import org.jspecify.annotations.NullMarked;
