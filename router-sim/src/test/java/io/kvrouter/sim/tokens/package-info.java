/** Of prompts and answers. */
@NullMarked
package io.kvrouter.sim.tokens;

import org.jspecify.annotations.NullMarked;
