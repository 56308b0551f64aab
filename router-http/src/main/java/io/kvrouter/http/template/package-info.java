/** Chat templates: the text that an engine makes of a chat request, rendered exactly as Python's jinja2 does. */
@NullMarked
package io.kvrouter.http.template;

import org.jspecify.annotations.NullMarked;
