/** What a node takes for streams in which nothing moves, and for readers that do not read. */
@NullMarked
package io.kvrouter.bench.streams;

import org.jspecify.annotations.NullMarked;
