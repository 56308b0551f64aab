@NullMarked
package io.kvrouter.bench.cluster;

import org.jspecify.annotations.NullMarked;
