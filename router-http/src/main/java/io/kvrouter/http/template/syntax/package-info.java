/** From a template's text to its syntax tree. */
@NullMarked
package io.kvrouter.http.template.syntax;

import org.jspecify.annotations.NullMarked;
