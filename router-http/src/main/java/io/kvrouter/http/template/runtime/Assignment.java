package io.kvrouter.http.template.runtime;

/** A compiled target: puts a value where it belongs. */
@FunctionalInterface
public interface Assignment {
    void assign(Frame frame, Object value);
}
