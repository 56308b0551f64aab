/** Attributes and methods of Python's built-in types. */
@NullMarked
package io.kvrouter.http.template.method;

import org.jspecify.annotations.NullMarked;
