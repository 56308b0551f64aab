package io.kvrouter.http.ingress;

import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.Dialect;
import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.server.Exchange;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpMethod;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.stream.Materializer;

/** The API of a node for clients: each request goes to a worker, or is answered by the node itself. */
public final class Ingress implements Endpoint {
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNSUPPORTED = 415;
    private static final Set<HttpMethod> READING = Set.of(HttpMethods.GET, HttpMethods.HEAD);

    private final ActorSystem<?> system;
    private final Materializer materializer;
    private final IngressParts parts;

    /** Counts what requests for workers were answered. */
    @FunctionalInterface
    public interface Answers {
        /** Counts one answer; the decision is "none" where there was none. */
        void count(int status, String decision);
    }

    /** The API, made of a node's parts. */
    public Ingress(ActorSystem<?> system, IngressParts parts) {
        this.system = system;
        this.materializer = Materializer.matFromSystem(system);
        this.parts = parts;
    }

    @Override
    public Exchange begin(HttpRequest request) {
        return switch (Surface.at(request.getUri().getPathString())) {
            case Surface.Forwarded forwarded -> forward(request, forwarded);
            case Surface.Own own -> own(request, own);
            case Surface.Nothing nothing ->
                refuse(
                        request,
                        Dialect.OPENAI,
                        ApiError.refused(NOT_FOUND, "unknown_path", "There is nothing at this path."));
        };
    }

    private Exchange forward(HttpRequest request, Surface.Forwarded forwarded) {
        Dialect dialect = forwarded.operation().dialect();
        if (!forwarded.methods().contains(request.method())) {
            return answer(request, notAllowed(dialect, forwarded.methods()));
        }
        if (forwarded.json() && !isJson(request)) {
            return refuse(
                    request,
                    dialect,
                    ApiError.refused(UNSUPPORTED, "unsupported_media_type", "The body must be JSON."));
        }
        Exchange exchange = ForwardedExchange.begin(system, parts, request, forwarded);
        exchange.response().thenAccept(this::count);
        return exchange;
    }

    private static boolean isJson(HttpRequest request) {
        return request.entity().getContentType().mediaType().equals(ContentTypes.APPLICATION_JSON.mediaType());
    }

    private void count(HttpResponse response) {
        String decision =
                response.getHeader("x-router-decision").map(HttpHeader::value).orElse("none");
        parts.answers().count(response.status().intValue(), decision);
    }

    private Exchange own(HttpRequest request, Surface.Own own) {
        return answer(
                request,
                READING.contains(request.method()) ? parts.own().to(own) : notAllowed(Dialect.OPENAI, READING));
    }

    private static HttpResponse notAllowed(Dialect dialect, Set<HttpMethod> allowed) {
        String names = allowed.stream().map(HttpMethod::value).sorted().collect(Collectors.joining(", "));
        var error = ApiError.refused(NOT_ALLOWED, "method_not_allowed", "This path takes " + names + ".");
        return dialect.response(error).addHeader(RawHeader.create("Allow", names));
    }

    private Exchange refuse(HttpRequest request, Dialect dialect, ApiError error) {
        return answer(request, dialect.response(error));
    }

    private Exchange answer(HttpRequest request, HttpResponse response) {
        request.discardEntityBytes(materializer);
        String id = new RequestHeaders(request).requestId();
        return Exchange.answered(response.addHeader(RawHeader.create(RequestHeaders.REQUEST_ID, id)));
    }
}
