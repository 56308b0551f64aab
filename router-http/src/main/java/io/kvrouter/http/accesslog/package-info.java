/** The access log: a line of JSON for each request, in files that are rotated by size. */
@NullMarked
package io.kvrouter.http.accesslog;

import org.jspecify.annotations.NullMarked;
