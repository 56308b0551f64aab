package io.kvrouter.http.template.runtime;

import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyFunction;
import io.kvrouter.http.template.value.PyObject;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jinja's {@code cycler(...)}: its values in turn, again and again. */
public final class Cycler implements PyObject {
    private final List<Object> values;
    private int at;

    Cycler(List<Object> values) {
        if (values.isEmpty()) {
            throw new PythonError(ErrorKind.RUNTIME, "at least one item has to be provided");
        }
        this.values = values;
    }

    @Override
    public String typeName() {
        return "Cycler";
    }

    @Override
    public @Nullable Object attribute(String name) {
        return switch (name) {
            case "current" -> values.get(at);
            case "pos" -> (long) at;
            case "items" -> new PyTuple(values);
            case "next" ->
                (PyFunction) none -> {
                    Object value = values.get(at);
                    at = (at + 1) % values.size();
                    return value;
                };
            case "reset" ->
                (PyFunction) none -> {
                    at = 0;
                    return None.NONE;
                };
            default -> null;
        };
    }

    @Override
    public String repr() {
        return "<Cycler>";
    }
}
