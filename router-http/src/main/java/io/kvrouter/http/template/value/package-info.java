/** What a template computes with: Python's values as Java objects. */
@NullMarked
package io.kvrouter.http.template.value;

import org.jspecify.annotations.NullMarked;
