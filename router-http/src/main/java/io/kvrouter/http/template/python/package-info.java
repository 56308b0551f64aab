/** What Python says of any value: truth, text, order, length, iteration. */
@NullMarked
package io.kvrouter.http.template.python;

import org.jspecify.annotations.NullMarked;
