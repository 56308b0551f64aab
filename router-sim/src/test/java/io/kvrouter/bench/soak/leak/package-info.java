@NullMarked
package io.kvrouter.bench.soak.leak;

import org.jspecify.annotations.NullMarked;
