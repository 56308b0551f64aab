package io.kvrouter.http.upstream;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** A call that failed, with the reason from the closed list. It has no stack trace: nothing of ours is to blame. */
public final class UpstreamException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final UpstreamFailure failure;

    public UpstreamException(UpstreamFailure failure, URI worker, @Nullable Throwable cause) {
        super(failure + " at " + worker + (cause == null ? "" : ": " + cause.getMessage()), cause, false, false);
        this.failure = failure;
    }

    /** What happened. */
    public UpstreamFailure failure() {
        return failure;
    }
}
