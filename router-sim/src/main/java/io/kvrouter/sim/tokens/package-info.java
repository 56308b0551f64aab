/** What tokens a simulated worker makes of texts and chats, and what its answers consist of. */
@NullMarked
package io.kvrouter.sim.tokens;

import org.jspecify.annotations.NullMarked;
