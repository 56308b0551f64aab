/** The life of a turn: where it goes, its attempts, and the one place where it ends. */
@NullMarked
package io.kvrouter.http.turn;

import org.jspecify.annotations.NullMarked;
