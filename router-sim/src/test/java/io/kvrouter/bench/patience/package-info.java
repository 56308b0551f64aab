@NullMarked
package io.kvrouter.bench.patience;

import org.jspecify.annotations.NullMarked;
