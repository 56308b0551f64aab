/** Processes that benchmarks start and talk to: commands, but none that a person would give. */
@NullMarked
package io.kvrouter.cli.bench.part;

import org.jspecify.annotations.NullMarked;
