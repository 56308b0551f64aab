package io.kvrouter.http.server;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/**
 * One request under way. It ends in one of three ways: its response was handed over to the last byte, its response body
 * failed, or the client went. Only of the last it is told by {@link #abort()}, as where it has no response at all; the
 * others it knows from its own body.
 */
public interface Exchange {
    /**
     * The response. If its body fails after the head has gone out, the client's connection is reset instead of ended
     * cleanly; see {@link io.kvrouter.http.answer.Breakage} for a last event before that.
     */
    CompletionStage<HttpResponse> response();

    /**
     * The client is gone, at any moment before the last byte of the response was handed over, or the response has failed
     * to come. Called once at most. A response that comes later is not run.
     */
    void abort();

    /**
     * It is over, in whichever way. Called once, on any thread; of a client that went after {@link #abort()}. For those
     * who look at requests from outside.
     */
    default void over(Ended ended) {}

    /** How an exchange ends. */
    enum End {
        /** Its response was handed over, to the last byte. */
        DONE,
        /** Its response's body failed. */
        BROKEN,
        /** The client went. */
        CLIENT_GONE
    }

    /**
     * What is to be said of an exchange that is over.
     *
     * @param head the response that went out; empty if none did
     * @param bytes of its body that were handed over
     * @param firstByteNanos when the first of them was, or the head of a response without any, by {@link System#nanoTime()}
     */
    record Ended(End how, Optional<HttpResponse> head, long bytes, OptionalLong firstByteNanos) {}

    /** An exchange that was over as soon as it began. */
    static Exchange answered(HttpResponse response) {
        return new Exchange() {
            @Override
            public CompletionStage<HttpResponse> response() {
                return CompletableFuture.completedFuture(response);
            }

            @Override
            public void abort() {
                // nothing is held
            }
        };
    }
}
