package io.kvrouter.http.selection;

import io.kvrouter.access.Caller;
import io.kvrouter.access.Trust;
import io.kvrouter.http.access.Gate;
import io.kvrouter.http.ingress.RequestHeaders;
import io.kvrouter.http.ingress.WholeBody;
import io.kvrouter.http.loop.LoopStreams;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.Dialect;
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

/** One call of the selection API: of a trusted caller, read whole, answered once. */
final class CallExchange implements Exchange {
    private static final int UNSUPPORTED = 415;

    private final Gone gone = new Gone();
    private final CompletionStage<HttpResponse> response;

    /** What a call does; throws, or fails with, an {@link io.kvrouter.http.openai.ApiException}. */
    interface Action extends Function<Incoming, CompletionStage<HttpResponse>> {}

    private CallExchange(ActorSystem<?> system, Gate gate, HttpRequest request, Action action) {
        var caller = gate.caller(request, Dialect.OPENAI);
        var headers = new RequestHeaders(request, caller.orElse(Caller.STRANGER));
        this.response = caller.map(known -> answer(system, request, known, action))
                .orElseGet(() -> refuse(system, request, ApiError.unauthorized()))
                .thenApply(r -> r.addHeader(RawHeader.create(RequestHeaders.REQUEST_ID, headers.requestId())));
    }

    static Exchange begin(ActorSystem<?> system, Gate gate, HttpRequest request, Action action) {
        return new CallExchange(system, gate, request, action);
    }

    private CompletionStage<HttpResponse> answer(
            ActorSystem<?> system, HttpRequest request, Caller caller, Action action) {
        if (!caller.trusts(Trust.SELECTION)) {
            return refuse(system, request, ApiError.notTrusted("The selection API is for trusted callers."));
        }
        if (hasBody(request) && !isJson(request)) {
            return refuse(
                    system, request, ApiError.refused(UNSUPPORTED, "unsupported_media_type", "The body must be JSON."));
        }
        return WholeBody.of(request, system)
                .thenCompose(bytes ->
                        action.apply(new Incoming(request, caller, CallBody.parse(bytes.toArrayUnsafe()), gone)))
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
        request.discardEntityBytes(LoopStreams.of(system).materializer());
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
