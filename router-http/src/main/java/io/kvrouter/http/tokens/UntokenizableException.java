package io.kvrouter.http.tokens;

/** Why a request's tokens can't be known. The reason has nothing of the prompt in it. */
public final class UntokenizableException extends Exception {
    private static final long serialVersionUID = 1L;

    public UntokenizableException(String reason) {
        super(reason);
    }

    /** The reason, in a few words. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
