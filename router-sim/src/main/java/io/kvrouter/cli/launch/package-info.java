/** Processes that commands start, and the flags that they give them. */
@NullMarked
package io.kvrouter.cli.launch;

import org.jspecify.annotations.NullMarked;
