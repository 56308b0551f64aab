/** The product as its users meet it. */
@NullMarked
package io.kvrouter.endtoend;

import org.jspecify.annotations.NullMarked;
