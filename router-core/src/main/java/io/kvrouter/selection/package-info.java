/** Selection: which eligible worker a request costs least on, by the policy that the operator chose. */
@NullMarked
package io.kvrouter.selection;

import org.jspecify.annotations.NullMarked;
