package io.kvrouter.http.template.value;

import java.util.List;

/** Python's tuple. */
public record PyTuple(List<Object> items) {
    public static final PyTuple EMPTY = new PyTuple(List.of());

    public static PyTuple of(Object... items) {
        return new PyTuple(List.of(items));
    }
}
