/** The house rules that a compiler cannot see, as tests over the compiled classes of all modules. */
@NullMarked
package io.kvrouter.architecture;

import org.jspecify.annotations.NullMarked;
