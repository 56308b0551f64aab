package io.kvrouter.http.template.filter;

import io.kvrouter.http.template.value.Arguments;

/** A filter: makes a value of a value. */
@FunctionalInterface
public interface Filter {
    Object apply(Object input, Arguments arguments);
}
