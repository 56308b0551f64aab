@NullMarked
package io.kvrouter.templates;

import org.jspecify.annotations.NullMarked;
