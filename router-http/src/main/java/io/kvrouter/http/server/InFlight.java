package io.kvrouter.http.server;

import io.kvrouter.http.openai.ApiError;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.Connection;
import org.apache.pekko.http.scaladsl.model.EntityStreamSizeException;
import org.jspecify.annotations.Nullable;

/** An exchange from its begin to its end, of which there is exactly one. */
final class InFlight implements WatchedBody.Watcher {
    private final Exchange exchange;
    private final boolean bodiless;
    private final Consumer<InFlight> whenOver;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean aborted = new AtomicBoolean();
    private final AtomicLong bytes = new AtomicLong();
    private volatile @Nullable HttpResponse head;
    private volatile OptionalLong firstByte = OptionalLong.empty();

    InFlight(Endpoint endpoint, HttpRequest request, Consumer<InFlight> whenOver) {
        this.bodiless = request.method().equals(HttpMethods.HEAD);
        this.whenOver = whenOver;
        this.exchange = endpoint.begin(request);
    }

    /** If it fails, nothing that the exchange holds has a body on which it would end. */
    CompletionStage<HttpResponse> response() {
        return exchange.response().whenComplete((response, failure) -> {
            if (failure != null) {
                abort();
            }
        });
    }

    private void abort() {
        if (aborted.compareAndSet(false, true)) {
            exchange.abort();
        }
    }

    /**
     * The response as it goes out: its end, whichever, ends this exchange.
     *
     * @param unread how long the client may leave a part of it unread
     */
    HttpResponse watched(HttpResponse response, Duration unread) {
        head = response;
        if (isWatched(response)) {
            return WatchedBody.in(response, this, unread);
        }
        passed(bodiless ? 0 : response.entity().getContentLengthOption().orElse(0));
        return response;
    }

    /** Whether the response's end is seen on its body; others have ended when their head is handed over. */
    boolean isWatched(HttpResponse response) {
        return !bodiless && !response.entity().isStrict();
    }

    @Override
    public void passed(long more) {
        if (firstByte.isEmpty()) {
            firstByte = OptionalLong.of(System.nanoTime());
        }
        bytes.addAndGet(more);
    }

    @Override
    public void end(Exchange.End how) {
        if (over.compareAndSet(false, true)) {
            if (how == Exchange.End.CLIENT_GONE) {
                abort();
            }
            exchange.over(new Exchange.Ended(how, Optional.ofNullable(head), bytes.get(), firstByte));
            whenOver.accept(this);
        }
    }

    /** The answer to an exchange that failed to make one. */
    static HttpResponse failed(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        boolean tooLarge = cause instanceof EntityStreamSizeException;
        return HttpResponse.create()
                .withStatus(tooLarge ? StatusCodes.CONTENT_TOO_LARGE : StatusCodes.INTERNAL_SERVER_ERROR);
    }

    /** The answer to a request of which the rest will not come. */
    static HttpResponse brokenOff() {
        return ApiError.badRequest("The request broke off.").response().addHeader(Connection.create("close"));
    }
}
