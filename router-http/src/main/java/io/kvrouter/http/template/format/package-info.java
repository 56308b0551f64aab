/** Values as text by a format: percent and brace formats, JSON, dates. */
@NullMarked
package io.kvrouter.http.template.format;

import org.jspecify.annotations.NullMarked;
