/** Two callers at workers that are full, one with many clients and one with few: what each gets, and how long it waits. */
@NullMarked
package io.kvrouter.bench.callers;

import org.jspecify.annotations.NullMarked;
