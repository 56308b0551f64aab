/** Workers: what was registered, what the engine says of itself, and what decisions read of them. */
@NullMarked
package io.kvrouter.worker;

import org.jspecify.annotations.NullMarked;
