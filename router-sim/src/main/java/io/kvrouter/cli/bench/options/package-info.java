/** Options that benchmarks share. */
@NullMarked
package io.kvrouter.cli.bench.options;

import org.jspecify.annotations.NullMarked;
