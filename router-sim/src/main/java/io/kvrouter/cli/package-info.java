/** The command line: {@code router} and its subcommands. */
@NullMarked
package io.kvrouter.cli;

import org.jspecify.annotations.NullMarked;
