package io.kvrouter.http.template.syntax;

/** The text is no template. */
public final class TemplateSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int line;

    public TemplateSyntaxException(String message, int line) {
        super(message, null, false, false);
        this.line = line;
    }

    /** From 1. */
    public int line() {
        return line;
    }
}
