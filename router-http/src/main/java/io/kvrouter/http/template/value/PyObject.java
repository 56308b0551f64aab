package io.kvrouter.http.template.value;

import org.jspecify.annotations.Nullable;

/** A value whose attributes are its own: a loop, a namespace, a macro. */
public interface PyObject {
    String typeName();

    /** The attribute's value, or null if there is none of that name. */
    @Nullable
    Object attribute(String name);

    /** What {@code repr} says. */
    String repr();
}
