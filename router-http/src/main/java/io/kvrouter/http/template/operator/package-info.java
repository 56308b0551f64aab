/** Python's operators: arithmetic, subscripts, slices. */
@NullMarked
package io.kvrouter.http.template.operator;

import org.jspecify.annotations.NullMarked;
