@NullMarked
package io.kvrouter.bench.callers;

import org.jspecify.annotations.NullMarked;
