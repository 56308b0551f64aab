/** Tests. */
@NullMarked
package io.kvrouter.bench.client;

import org.jspecify.annotations.NullMarked;
