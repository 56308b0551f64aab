/** A binding table as a value of Distributed Data, and its bytes. */
@NullMarked
package io.kvrouter.cluster.binding.table;

import org.jspecify.annotations.NullMarked;
