/** What is measured beside the router, and stands behind all of them: a mock engine, a plain relay, nginx. */
@NullMarked
package io.kvrouter.bench.proxy.peer;

import org.jspecify.annotations.NullMarked;
