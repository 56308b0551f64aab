package io.kvrouter.http.upstream.netty;

import io.kvrouter.http.upstream.UpstreamException;
import io.kvrouter.http.upstream.UpstreamResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/**
 * What a call's caller is told, and when: a head as soon as it is there, but that of a short answer with its body, if both
 * came in one go. Who has it all need not run a stream for it, which costs more than the rest of a short request.
 */
final class ToldAnswer {
    private static final int MOST_WHOLE = 16 * 1024;

    private final BodyFeed feed;
    private final Runnable abort;
    private final CompletableFuture<UpstreamResponse> response = new CompletableFuture<>();
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private @Nullable ResponseHead untold;

    ToldAnswer(BodyFeed feed, Runnable abort) {
        this.feed = feed;
        this.abort = abort;
    }

    CompletionStage<UpstreamResponse> response() {
        return response;
    }

    CompletionStage<Void> begun() {
        return begun;
    }

    CompletionStage<Void> ended() {
        return ended;
    }

    /** A byte of the body came. */
    void begin() {
        begun.complete(null);
    }

    /** The head came, in answer to this method. */
    void came(ResponseHead head, String method) {
        untold = head;
        if (method.equals("HEAD") || !head.mayBeWhole(MOST_WHOLE)) {
            tell();
        }
    }

    /** The head is told, if it is not yet: its body is still to come, or broken. */
    void tell() {
        ResponseHead head = untold;
        untold = null;
        if (head != null) {
            response.complete(head.withBody(Source.fromGraph(new FeedSource(feed, abort))));
        }
    }

    /** The answer is complete. A head that is not told yet is told with its body, all of which waits in the feed. */
    void complete() {
        ResponseHead head = untold;
        untold = null;
        if (head != null) {
            response.complete(head.withWhole(feed.take(() -> {})));
        }
        begin();
        ended.complete(null);
    }

    /** There is no answer, if none was told; else only the beginning of one. */
    void fail(UpstreamException why) {
        tell();
        response.completeExceptionally(why);
        begin();
        ended.completeExceptionally(why);
    }
}
