package io.kvrouter.http.template.method;

import io.kvrouter.http.template.value.Arguments;

/** A method of one of Python's built-in types. */
@FunctionalInterface
public interface Method<T> {
    Object call(T self, Arguments arguments);
}
