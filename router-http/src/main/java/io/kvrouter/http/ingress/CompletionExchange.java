package io.kvrouter.http.ingress;

import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.turn.TurnExchange;
import io.kvrouter.http.turn.TurnRequest;
import io.kvrouter.http.upstream.UpstreamRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** A completion: reads the whole body, then runs the turn. The client may leave at any moment. */
final class CompletionExchange implements Exchange {
    private final Ingress ingress;
    private final HttpRequest request;
    private final RequestHeaders headers;
    private final CompletionStage<HttpResponse> response;

    private @Nullable Exchange turn;
    private boolean gone;

    private CompletionExchange(Ingress ingress, HttpRequest request) {
        this.ingress = ingress;
        this.request = request;
        this.headers = new RequestHeaders(request);
        this.response = WholeBody.of(request, ingress.system())
                .thenCompose(this::begin)
                .exceptionally(failure -> WholeBody.error(failure).response())
                .thenApply(r -> r.addHeader(RawHeader.create(RequestHeaders.REQUEST_ID, headers.requestId())));
    }

    static Exchange begin(Ingress ingress, HttpRequest request) {
        return new CompletionExchange(ingress, request);
    }

    @Override
    public CompletionStage<HttpResponse> response() {
        return response;
    }

    @Override
    public synchronized void abort() {
        gone = true;
        if (turn != null) {
            turn.abort();
        }
    }

    private CompletionStage<HttpResponse> begin(ByteString body) {
        return begin(body, ingress.turns().read(headers, body.toArrayUnsafe()));
    }

    private synchronized CompletionStage<HttpResponse> begin(ByteString body, TurnRequest read) {
        if (gone) {
            return CompletableFuture.failedStage(new ApiException(ApiError.badGateway("client_gone")));
        }
        String target = target();
        var forwarded = headers.forwarded();
        turn = TurnExchange.begin(
                ingress.system(),
                ingress.ports(),
                read,
                base -> new UpstreamRequest(base, request.method().value(), target, forwarded, body));
        return turn.response();
    }

    private String target() {
        var uri = request.getUri();
        return uri.getPathString()
                + uri.rawQueryString().map(query -> "?" + query).orElse("");
    }
}
