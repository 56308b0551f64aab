/** What an ingress must keep to when it tells a session's actor of a turn. */
@NullMarked
package io.kvrouter.session.ingress;

import org.jspecify.annotations.NullMarked;
