@NullMarked
package io.kvrouter.bench;

import org.jspecify.annotations.NullMarked;
