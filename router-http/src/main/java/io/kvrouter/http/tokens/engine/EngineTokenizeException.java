package io.kvrouter.http.tokens.engine;

/** Why an engine gave no tokens. Nothing of the prompt is in it. */
public final class EngineTokenizeException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Kinds of it. */
    public enum Kind {
        /** The engine has no such endpoint, or not for such requests. */
        NOT_OFFERED,
        /** The engine does not take the request: it would not complete it either. */
        REFUSED,
        /** No answer in time, or none that can be read. */
        FAILED
    }

    private final Kind kind;

    EngineTokenizeException(Kind kind, String what) {
        super(what);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
