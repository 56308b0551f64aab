@NullMarked
package io.kvrouter.cli.log;

import org.jspecify.annotations.NullMarked;
