/** Load: the reservations of this node's requests, what they add up to, and what the other nodes tell of theirs. */
@NullMarked
package io.kvrouter.load;

import org.jspecify.annotations.NullMarked;
