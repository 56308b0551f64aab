/** What of others' news a node's log leaves out. */
@NullMarked
package io.kvrouter.cli.log;

import org.jspecify.annotations.NullMarked;
