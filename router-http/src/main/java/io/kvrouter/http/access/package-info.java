/** Who sends a request: keys from files or the environment, and what workers are shown in their place. */
@NullMarked
package io.kvrouter.http.access;

import org.jspecify.annotations.NullMarked;
