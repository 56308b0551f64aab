/** Requests that browsers send for pages of other origins. */
@NullMarked
package io.kvrouter.http.cors;

import org.jspecify.annotations.NullMarked;
