/** Keys of callers and operators, as they are made. */
@NullMarked
package io.kvrouter.cli.access;

import org.jspecify.annotations.NullMarked;
