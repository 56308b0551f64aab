package io.kvrouter.http.ingress;

import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.openai.Cause;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.turn.TurnExchange;
import io.kvrouter.http.turn.TurnRequest;
import io.kvrouter.http.upstream.UpstreamRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.scaladsl.model.EntityStreamException;
import org.apache.pekko.http.scaladsl.model.EntityStreamSizeException;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A completion: reads the whole body, then runs the turn. The client may leave at any moment. */
final class CompletionExchange implements Exchange {
    private static final long BODY_TIMEOUT_MS = 60_000;
    private static final int READ_AT_ONCE = 16 * 1024;
    private static final int TOO_LARGE = 413;
    private static final int TIMED_OUT = 408;
    private static final Logger LOG = LoggerFactory.getLogger(CompletionExchange.class);

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
        this.response = body().thenCompose(this::begin)
                .exceptionally(failure -> error(failure).response())
                .thenApply(r -> r.addHeader(RawHeader.create(RequestHeaders.REQUEST_ID, headers.requestId())));
    }

    /**
     * A short body that came with its head is read where it is: handing it to another thread costs more. A longer one
     * is read elsewhere, because parsing and hashing it would hold up the event loop.
     */
    private CompletionStage<ByteString> body() {
        if (request.entity() instanceof HttpEntity.Strict whole
                && whole.getData().size() <= READ_AT_ONCE) {
            return CompletableFuture.completedStage(whole.getData());
        }
        return request.entity()
                .toStrict(BODY_TIMEOUT_MS, Long.MAX_VALUE, ingress.materializer()) // the server has the limit
                .thenApplyAsync(HttpEntity.Strict::getData, ingress.system().executionContext());
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

    private static ApiError error(Throwable failure) {
        Throwable cause = Cause.of(failure);
        return switch (cause) {
            case ApiException known -> known.error();
            case EntityStreamSizeException tooLarge ->
                ApiError.refused(TOO_LARGE, "body_too_large", "The body is larger than this router takes.");
            case EntityStreamException broken -> ApiError.badRequest("The body broke off.");
            case TimeoutException late -> ApiError.refused(TIMED_OUT, "body_timeout", "The body did not come in time.");
            default -> {
                LOG.error("a request failed", cause);
                yield ApiError.internal();
            }
        };
    }
}
