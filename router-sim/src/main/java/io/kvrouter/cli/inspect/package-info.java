/** Commands that look into a running cluster. */
@NullMarked
package io.kvrouter.cli.inspect;

import org.jspecify.annotations.NullMarked;
