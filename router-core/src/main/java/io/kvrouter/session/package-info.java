/** Sessions: their key, their binding to a worker, and the rules by which a binding changes. */
@NullMarked
package io.kvrouter.session;

import org.jspecify.annotations.NullMarked;
