/** Headers that pass the router from end to end, and those that end at it. */
@NullMarked
package io.kvrouter.http.header;

import org.jspecify.annotations.NullMarked;
