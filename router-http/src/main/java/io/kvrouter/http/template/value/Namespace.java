package io.kvrouter.http.template.value;

import org.jspecify.annotations.Nullable;

/** Jinja's {@code namespace()}: the one value whose attributes a template can set. */
public record Namespace(PyDict attributes) {
    public @Nullable Object attribute(String name) {
        return attributes.get(name);
    }
}
