/** Recorded chat template renderings, and the command that checks them. */
@NullMarked
package io.kvrouter.templates;

import org.jspecify.annotations.NullMarked;
