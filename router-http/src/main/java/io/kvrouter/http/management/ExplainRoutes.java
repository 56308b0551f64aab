package io.kvrouter.http.management;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.entity;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.post;
import static org.apache.pekko.http.javadsl.server.Directives.withSizeLimit;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.kvrouter.access.Caller;
import io.kvrouter.http.management.ManagementPorts.Routing;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.http.javadsl.unmarshalling.Unmarshaller;

/**
 * {@code POST /router/explain?caller=}: a completion request, with its headers, in; where it would go, and why, out. The
 * caller's name matters for sessions only: each has its own.
 */
final class ExplainRoutes {
    private static final long MAX_BODY = 64L << 20;

    private final Routing routing;

    ExplainRoutes(Routing routing) {
        this.routing = routing;
    }

    Route routes() {
        return path(
                segment("router").slash("explain"),
                () -> post(() -> withSizeLimit(
                        MAX_BODY,
                        () -> extractRequest(request -> entity(
                                Unmarshaller.entityToByteArray(),
                                body -> completeWithFuture(explain(request, body)))))));
    }

    private static Caller caller(HttpRequest request) {
        String name = request.getUri().query().get("caller").orElse("");
        try {
            return Caller.LOCAL.named(name);
        } catch (IllegalArgumentException e) {
            throw new ApiException(ApiError.badRequest(String.valueOf(e.getMessage()), "caller"), e);
        }
    }

    private CompletionStage<HttpResponse> explain(HttpRequest request, byte[] body) {
        return routing.explainer()
                .explain(routing.turns().readOf(caller(request), request, body))
                .thenApply(explained -> Json.ok(ExplanationJson.of(explained, routing.selection())));
    }
}
