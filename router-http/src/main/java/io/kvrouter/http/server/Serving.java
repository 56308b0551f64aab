package io.kvrouter.http.server;

import io.kvrouter.http.openai.ApiError;
import java.util.function.Consumer;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * What the ports of an API have in common: who answers, what is under way on all of them, and the limits.
 *
 * @param endpoint answers requests
 * @param lifecycle counts connections and exchanges, and tells when to leave
 */
public record Serving(Endpoint endpoint, ServerLifecycle lifecycle, ApiServerSettings settings) {
    /** Connections beyond the limit that are open for as long as it takes to refuse them; further ones are not served. */
    public static final int REFUSED_AT_ONCE = 1_024;

    /**
     * Begins to answer a request. What is under way counts from here to its end, of which {@code whenOver} is told on any
     * thread.
     */
    public InFlight begin(HttpRequest request, Consumer<InFlight> whenOver) {
        return begin(endpoint, request, whenOver);
    }

    /** The same with a request for which there is no room. */
    public InFlight refuse(HttpRequest request, Consumer<InFlight> whenOver) {
        return begin(any -> Exchange.answered(ApiError.tooManyConnections().response()), request, whenOver);
    }

    private InFlight begin(Endpoint by, HttpRequest request, Consumer<InFlight> whenOver) {
        lifecycle.began();
        Consumer<InFlight> ended = exchange -> {
            lifecycle.ended();
            whenOver.accept(exchange);
        };
        try {
            return new InFlight(by, GuardedBody.in(request, settings.maxBody()), ended);
        } catch (RuntimeException e) {
            return new InFlight(any -> Exchange.answered(InFlight.failed(e)), HttpRequest.create(), ended);
        }
    }
}
