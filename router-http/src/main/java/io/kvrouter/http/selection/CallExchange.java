package io.kvrouter.http.selection;

import io.kvrouter.http.ingress.RequestHeaders;
import io.kvrouter.http.ingress.WholeBody;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.reservation.Gone;
import io.kvrouter.http.server.Exchange;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.stream.Materializer;

/** One call of the selection API: of a trusted caller, read whole, answered once. */
final class CallExchange implements Exchange {
    private static final int FORBIDDEN = 403;
    private static final int UNSUPPORTED = 415;

    private final Gone gone = new Gone();
    private final CompletionStage<HttpResponse> response;

    /** What a call does; throws, or fails with, an {@link io.kvrouter.http.openai.ApiException}. */
    interface Action extends Function<Incoming, CompletionStage<HttpResponse>> {}

    private CallExchange(ActorSystem<?> system, HttpRequest request, Action action) {
        var headers = new RequestHeaders(request);
        this.response = answer(system, request, headers, action)
                .thenApply(r -> r.addHeader(RawHeader.create(RequestHeaders.REQUEST_ID, headers.requestId())));
    }

    static Exchange begin(ActorSystem<?> system, HttpRequest request, Action action) {
        return new CallExchange(system, request, action);
    }

    private CompletionStage<HttpResponse> answer(
            ActorSystem<?> system, HttpRequest request, RequestHeaders headers, Action action) {
        if (!headers.trusted()) {
            return refuse(
                    system,
                    request,
                    ApiError.refused(
                            FORBIDDEN,
                            "not_trusted",
                            "The selection API is for trusted callers: requests from loopback."));
        }
        if (hasBody(request) && !isJson(request)) {
            return refuse(
                    system, request, ApiError.refused(UNSUPPORTED, "unsupported_media_type", "The body must be JSON."));
        }
        return WholeBody.of(request, system)
                .thenCompose(bytes -> action.apply(new Incoming(request, CallBody.parse(bytes.toArrayUnsafe()), gone)))
                .exceptionally(failure -> WholeBody.error(failure).response());
    }

    private static boolean hasBody(HttpRequest request) {
        return !(request.entity() instanceof HttpEntity.Strict whole)
                || !whole.getData().isEmpty();
    }

    private static boolean isJson(HttpRequest request) {
        return request.entity().getContentType().mediaType().equals(ContentTypes.APPLICATION_JSON.mediaType());
    }

    private static CompletionStage<HttpResponse> refuse(ActorSystem<?> system, HttpRequest request, ApiError error) {
        request.discardEntityBytes(Materializer.matFromSystem(system));
        return CompletableFuture.completedStage(error.response());
    }

    @Override
    public CompletionStage<HttpResponse> response() {
        return response;
    }

    @Override
    public void abort() {
        gone.now();
    }
}
