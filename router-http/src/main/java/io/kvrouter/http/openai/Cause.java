package io.kvrouter.http.openai;

import java.util.concurrent.CompletionException;

/** What really failed, where a completion stage wrapped it. */
public final class Cause {
    private Cause() {}

    /** The first cause that is no wrapping of a completion stage. */
    public static Throwable of(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
