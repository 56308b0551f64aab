package io.kvrouter.http.answer;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * The end of a body that broke in the middle: a last event, a pause in which the client reads it (a reset takes away
 * what was not sent yet), then the failure, on which the server resets the connection. A clean end would read as
 * success.
 */
public final class Breakage {
    private Breakage() {}

    /** To be put in place of the failed rest of a body, for example by {@code recoverWithRetries(1, ...)}. */
    public static Source<ByteString, NotUsed> after(ByteString lastEvent, Duration pause, Throwable why) {
        return Source.single(lastEvent).concatLazy(Source.lazyCompletionStage(() -> failing(pause, why)));
    }

    private static CompletionStage<ByteString> failing(Duration pause, Throwable why) {
        CompletableFuture<ByteString> rest = new CompletableFuture<>();
        CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> rest.completeExceptionally(why));
        return rest;
    }
}
