/** Settings: typed records from HOCON, environment and flags, validated at start with the full key name. */
@NullMarked
package io.kvrouter.http.settings;

import org.jspecify.annotations.NullMarked;
