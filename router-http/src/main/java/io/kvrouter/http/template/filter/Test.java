package io.kvrouter.http.template.filter;

import io.kvrouter.http.template.value.Arguments;

/** A test: what stands behind {@code is}. */
@FunctionalInterface
public interface Test {
    boolean holds(Object value, Arguments arguments);
}
