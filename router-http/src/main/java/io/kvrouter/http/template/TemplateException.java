package io.kvrouter.http.template;

/**
 * A chat template could not be read, or could not render a request: it refused it, as many do (roles that must
 * alternate), or it used what is not there. The message is the template's own, or Python's. It may quote the request, so
 * it is for the client that sent it, never for a log.
 */
public final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String kind;
    private final int line;

    TemplateException(String kind, String message, int line) {
        super(message, null, false, false);
        this.kind = kind;
        this.line = line;
    }

    /** The exception's class in Python: {@code TemplateError} where the template itself raised it. */
    public String kind() {
        return kind;
    }

    /** Where in the template, from 1. */
    public int line() {
        return line;
    }
}
