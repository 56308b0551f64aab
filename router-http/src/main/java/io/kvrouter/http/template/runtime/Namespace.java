package io.kvrouter.http.template.runtime;

import io.kvrouter.http.template.python.PyText;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyObject;
import org.jspecify.annotations.Nullable;

/** Jinja's {@code namespace()}: the one value whose attributes a template can set. */
public record Namespace(PyDict attributes) implements PyObject {
    @Override
    public String typeName() {
        return "Namespace";
    }

    @Override
    public @Nullable Object attribute(String name) {
        return attributes.get(name);
    }

    @Override
    public String repr() {
        return "<Namespace " + PyText.repr(attributes) + ">";
    }
}
