/** What a node remembers of all sessions: how it reads the binding tables, and when it forgets their rows. */
@NullMarked
package io.kvrouter.session.replica;

import org.jspecify.annotations.NullMarked;
