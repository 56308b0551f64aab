package io.kvrouter.http.ingress;

import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ModelList;
import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.turn.TurnPorts;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.stream.Materializer;

/** The OpenAI API of a node. */
public final class Ingress implements Endpoint {
    private static final Set<String> COMPLETIONS = Set.of("/v1/chat/completions", "/v1/completions");
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNSUPPORTED = 415;

    private final ActorSystem<?> system;
    private final Materializer materializer;
    private final TurnPorts ports;
    private final TurnReader turns;
    private final Answers answers;
    private final BooleanSupplier ready;

    /** Counts what completion requests were answered. */
    @FunctionalInterface
    public interface Answers {
        /** Counts one answer; the decision is "none" where there was none. */
        void count(int status, String decision);
    }

    /** The API; {@code ready} says whether this node takes requests, as {@code /health} tells. */
    public Ingress(ActorSystem<?> system, TurnPorts ports, TurnReader turns, Answers answers, BooleanSupplier ready) {
        this.system = system;
        this.materializer = Materializer.matFromSystem(system);
        this.ports = ports;
        this.turns = turns;
        this.answers = answers;
        this.ready = ready;
    }

    @Override
    public Exchange begin(HttpRequest request) {
        String path = request.getUri().getPathString();
        if (COMPLETIONS.contains(path)) {
            return completion(request);
        }
        return switch (path) {
            case "/v1/models" -> read(request, json(ModelList.of(ports.fleet().get())));
            case "/health" -> read(request, health());
            default -> refuse(request, ApiError.refused(NOT_FOUND, "unknown_path", "There is nothing at this path."));
        };
    }

    private Exchange completion(HttpRequest request) {
        if (!request.method().equals(HttpMethods.POST)) {
            return answer(request, notAllowed("POST", "This path takes POST."));
        }
        if (!request.entity().getContentType().mediaType().equals(ContentTypes.APPLICATION_JSON.mediaType())) {
            return refuse(request, ApiError.refused(UNSUPPORTED, "unsupported_media_type", "The body must be JSON."));
        }
        Exchange exchange = CompletionExchange.begin(this, request);
        exchange.response().thenAccept(this::count);
        return exchange;
    }

    private void count(HttpResponse response) {
        String decision =
                response.getHeader("x-router-decision").map(HttpHeader::value).orElse("none");
        answers.count(response.status().intValue(), decision);
    }

    private Exchange read(HttpRequest request, HttpResponse response) {
        boolean reads =
                request.method().equals(HttpMethods.GET) || request.method().equals(HttpMethods.HEAD);
        return reads ? answer(request, response) : answer(request, notAllowed("GET, HEAD", "This path takes GET."));
    }

    private static HttpResponse notAllowed(String allowed, String message) {
        return ApiError.refused(NOT_ALLOWED, "method_not_allowed", message)
                .response()
                .addHeader(RawHeader.create("Allow", allowed));
    }

    private Exchange refuse(HttpRequest request, ApiError error) {
        return answer(request, error.response());
    }

    private Exchange answer(HttpRequest request, HttpResponse response) {
        request.discardEntityBytes(materializer);
        String id = new RequestHeaders(request).requestId();
        return Exchange.answered(response.addHeader(RawHeader.create(RequestHeaders.REQUEST_ID, id)));
    }

    private HttpResponse health() {
        return ready.getAsBoolean()
                ? json("{\"status\":\"ok\"}")
                : json("{\"status\":\"not ready\"}").withStatus(StatusCodes.SERVICE_UNAVAILABLE);
    }

    private static HttpResponse json(String body) {
        return HttpResponse.create().withEntity(ContentTypes.APPLICATION_JSON, body);
    }

    ActorSystem<?> system() {
        return system;
    }

    Materializer materializer() {
        return materializer;
    }

    TurnPorts ports() {
        return ports;
    }

    TurnReader turns() {
        return turns;
    }
}
