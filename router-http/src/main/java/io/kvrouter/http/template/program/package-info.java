/** From a syntax tree to something that renders. */
@NullMarked
package io.kvrouter.http.template.program;

import org.jspecify.annotations.NullMarked;
