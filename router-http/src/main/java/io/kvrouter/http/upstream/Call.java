package io.kvrouter.http.upstream;

import java.util.concurrent.CompletionStage;

/** A request on its way to a worker, with the handle to end it. */
public interface Call {
    /**
     * The head of the worker's answer, or an {@link UpstreamException}. It completes on an event loop: what follows
     * must not block, or go elsewhere with the {@code Async} methods.
     */
    CompletionStage<UpstreamResponse> response();

    /**
     * The first byte of the answer's body was received, or there will be none: the call has ended. After
     * {@link #response()}, unless that came whole, on an event loop; it never fails.
     */
    CompletionStage<Void> begun();

    /**
     * The worker has no more to do with it: the last byte of its answer was received, whether or not anybody takes it,
     * or it fails with the {@link UpstreamException} that ended the call. After {@link #response()}, on an event loop.
     */
    CompletionStage<Void> ended();

    /**
     * Resets the connection, whether or not the head was received, so that the worker stops generating. After the
     * last byte of the answer it does nothing. May be called from any thread and any number of times.
     */
    void abort();
}
