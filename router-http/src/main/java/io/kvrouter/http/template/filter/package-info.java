/** Jinja's filters and tests, a table of each. */
@NullMarked
package io.kvrouter.http.template.filter;

import org.jspecify.annotations.NullMarked;
