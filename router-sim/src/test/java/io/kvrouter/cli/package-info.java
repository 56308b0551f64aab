/** Tests of the command line. */
@NullMarked
package io.kvrouter.cli;

import org.jspecify.annotations.NullMarked;
