/** What the router costs as a proxy, against a plain relay, nginx and no proxy at all. */
@NullMarked
package io.kvrouter.bench.proxy;

import org.jspecify.annotations.NullMarked;
