package io.kvrouter.http.template.runtime;

import io.kvrouter.http.template.python.PyText;

/** A compiled expression. */
@FunctionalInterface
public interface Code {
    Object eval(Frame frame);

    /** Writes the value's text; overridden where the text can be written piece by piece, without being built first. */
    default void emit(Frame frame) {
        frame.write(PyText.str(eval(frame)));
    }
}
