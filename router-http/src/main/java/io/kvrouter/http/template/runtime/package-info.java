/** What a compiled template is made of, and what it works on while it renders. */
@NullMarked
package io.kvrouter.http.template.runtime;

import org.jspecify.annotations.NullMarked;
