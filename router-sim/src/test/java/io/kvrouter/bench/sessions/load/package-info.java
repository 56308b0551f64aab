@NullMarked
package io.kvrouter.bench.sessions.load;

import org.jspecify.annotations.NullMarked;
