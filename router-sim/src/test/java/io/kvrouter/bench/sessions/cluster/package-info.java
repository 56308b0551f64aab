@NullMarked
package io.kvrouter.bench.sessions.cluster;

import org.jspecify.annotations.NullMarked;
