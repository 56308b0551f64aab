/** Answers after which the connection is reset, and which the client reads before that all the same. */
@NullMarked
package io.kvrouter.http.answer;

import org.jspecify.annotations.NullMarked;
