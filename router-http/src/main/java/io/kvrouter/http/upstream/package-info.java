/** The port behind which requests are forwarded to workers, without any knowledge of sessions or load. */
@NullMarked
package io.kvrouter.http.upstream;

import org.jspecify.annotations.NullMarked;
