/** The benchmarks as commands. */
@NullMarked
package io.kvrouter.cli.bench;

import org.jspecify.annotations.NullMarked;
