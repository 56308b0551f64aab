package io.kvrouter.http.openai;

/** Ends a request with an {@link ApiError}. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ApiError error;

    public ApiException(ApiError error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    public ApiException(ApiError error, Throwable cause) {
        super(error.message(), cause);
        this.error = error;
    }

    public ApiError error() {
        return error;
    }
}
