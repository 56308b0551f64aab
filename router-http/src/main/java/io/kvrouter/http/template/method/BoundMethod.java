package io.kvrouter.http.template.method;

import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.PyFunction;

/** A method with the value that it belongs to. */
record BoundMethod<T>(T self, Method<T> method) implements PyFunction {
    @Override
    public Object call(Arguments arguments) {
        return method.call(self, arguments);
    }
}
