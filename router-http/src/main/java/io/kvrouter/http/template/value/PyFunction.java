package io.kvrouter.http.template.value;

/** Something that a template can call. */
@FunctionalInterface
public interface PyFunction {
    Object call(Arguments arguments);
}
