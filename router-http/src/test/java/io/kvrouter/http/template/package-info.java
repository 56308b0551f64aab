@NullMarked
package io.kvrouter.http.template;

import org.jspecify.annotations.NullMarked;
