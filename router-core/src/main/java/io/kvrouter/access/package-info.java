/** Who may do what: callers of the API and operators of the management port, and the keys by which they are known. */
@NullMarked
package io.kvrouter.access;

import org.jspecify.annotations.NullMarked;
