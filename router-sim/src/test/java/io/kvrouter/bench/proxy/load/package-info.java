/** Tests. */
@NullMarked
package io.kvrouter.bench.proxy.load;

import org.jspecify.annotations.NullMarked;
