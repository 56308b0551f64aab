package io.kvrouter.http.ingress;

import io.kvrouter.access.Caller;
import io.kvrouter.http.loop.LoopStreams;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.Dialect;
import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.server.Exchange;
import java.util.Optional;
import java.util.OptionalInt;
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
        this.materializer = LoopStreams.of(system).materializer();
        this.parts = parts;
    }

    @Override
    public Exchange begin(HttpRequest request) {
        Surface.At at = Surface.at(request.getUri().getPathString());
        Optional<Caller> caller =
                at.open() ? Optional.of(Caller.STRANGER) : parts.gate().caller(request, at.dialect());
        return caller.map(known -> begin(new RequestHeaders(request, known), at))
                .orElseGet(() -> refuse(new RequestHeaders(request, Caller.STRANGER), at, ApiError.unauthorized()));
    }

    private Exchange begin(RequestHeaders headers, Surface.At at) {
        return switch (at) {
            case Surface.Forwarded forwarded -> forward(headers, forwarded);
            case Surface.Own own -> own(headers, own);
            case Surface.Nothing nothing ->
                answer(
                        headers,
                        ApiError.refused(NOT_FOUND, "unknown_path", "There is nothing at this path.")
                                .response());
        };
    }

    private Exchange forward(RequestHeaders headers, Surface.Forwarded forwarded) {
        if (!forwarded.methods().contains(headers.request().method())) {
            return answer(headers, notAllowed(forwarded.dialect(), forwarded.methods()));
        }
        if (forwarded.json() && !isJson(headers.request())) {
            var error = ApiError.refused(UNSUPPORTED, "unsupported_media_type", "The body must be JSON.");
            return answer(headers, forwarded.dialect().response(error));
        }
        return TurnReader.refusal(headers)
                .map(error -> refuse(headers, forwarded, error))
                .orElseGet(() -> admit(headers, forwarded));
    }

    private Exchange admit(RequestHeaders headers, Surface.Forwarded forwarded) {
        OptionalInt wait = parts.quota().spent(headers.caller());
        if (wait.isPresent()) {
            return refuse(headers, forwarded, ApiError.callerTokensSpent(wait.getAsInt()));
        }
        return parts.quota().begins(headers.caller())
                ? counted(ForwardedExchange.begin(system, parts, headers, forwarded))
                : refuse(headers, forwarded, ApiError.callerBusy());
    }

    private static boolean isJson(HttpRequest request) {
        return request.entity().getContentType().mediaType().equals(ContentTypes.APPLICATION_JSON.mediaType());
    }

    private Exchange counted(Exchange exchange) {
        exchange.response().thenAccept(this::count);
        return exchange;
    }

    private void count(HttpResponse response) {
        String decision =
                response.getHeader("x-router-decision").map(HttpHeader::value).orElse("none");
        parts.answers().count(response.status().intValue(), decision);
    }

    private Exchange own(RequestHeaders headers, Surface.Own own) {
        return answer(
                headers,
                READING.contains(headers.request().method())
                        ? parts.own().to(own, headers.caller())
                        : notAllowed(Dialect.OPENAI, READING));
    }

    private static HttpResponse notAllowed(Dialect dialect, Set<HttpMethod> allowed) {
        String names = allowed.stream().map(HttpMethod::value).sorted().collect(Collectors.joining(", "));
        var error = ApiError.refused(NOT_ALLOWED, "method_not_allowed", "This path takes " + names + ".");
        return dialect.response(error).addHeader(RawHeader.create("Allow", names));
    }

    /** Who may not is counted, as those are who may. */
    private Exchange refuse(RequestHeaders headers, Surface.At at, ApiError error) {
        return counted(answer(headers, at.dialect().response(error)));
    }

    private Exchange answer(RequestHeaders headers, HttpResponse response) {
        headers.request().discardEntityBytes(materializer);
        return Exchange.answered(response.addHeader(RawHeader.create(RequestHeaders.REQUEST_ID, headers.requestId())));
    }
}
