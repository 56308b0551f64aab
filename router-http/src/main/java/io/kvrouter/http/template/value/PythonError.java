package io.kvrouter.http.template.value;

/** An error as Python would raise it. It has no stack trace: templates raise errors in the normal course of events. */
public final class PythonError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;

    public PythonError(ErrorKind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public static PythonError type(String message) {
        return new PythonError(ErrorKind.TYPE, message);
    }

    public static PythonError value(String message) {
        return new PythonError(ErrorKind.VALUE, message);
    }

    public static PythonError limit(String message) {
        return new PythonError(ErrorKind.LIMIT, message);
    }

    public ErrorKind kind() {
        return kind;
    }
}
