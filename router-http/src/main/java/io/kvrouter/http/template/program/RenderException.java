package io.kvrouter.http.template.program;

import io.kvrouter.http.template.value.ErrorKind;
import io.kvrouter.http.template.value.PythonError;

/** A template raised an error while it was rendered. */
public final class RenderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;
    private final int line;

    RenderException(PythonError cause, int line) {
        super(cause.getMessage(), null, false, false);
        this.kind = cause.kind();
        this.line = line;
    }

    public ErrorKind kind() {
        return kind;
    }

    /** From 1. */
    public int line() {
        return line;
    }
}
