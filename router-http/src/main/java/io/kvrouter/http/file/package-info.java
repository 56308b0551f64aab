/** Files that may change while a node runs: keys, secrets, certificates. */
@NullMarked
package io.kvrouter.http.file;

import org.jspecify.annotations.NullMarked;
