package io.kvrouter.http.cors;

import io.kvrouter.http.server.Endpoint;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.server.OuterExchange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;

/**
 * Lets pages of certain origins call the API (CORS). It stands before all that asks who the caller is: a browser's
 * preflight has no credentials. What it says replaces what a worker says of the same.
 */
public final class CrossOrigin implements Endpoint {
    private static final String FAMILY = "access-control-";
    private static final String EXPOSED = "x-request-id, x-router-worker, x-router-decision, x-router-overlap-tokens,"
            + " x-router-reason, x-should-retry, retry-after";

    private final Endpoint api;
    private final CrossOriginSettings settings;

    private CrossOrigin(Endpoint api, CrossOriginSettings settings) {
        this.api = api;
        this.settings = settings;
    }

    /** The API for pages too; without any origin it is just the API. */
    public static Endpoint around(Endpoint api, CrossOriginSettings settings) {
        return settings.on() ? new CrossOrigin(api, settings) : api;
    }

    @Override
    public Exchange begin(HttpRequest request) {
        Optional<String> origin = value(request, "origin").filter(settings::allow);
        Optional<String> method = value(request, FAMILY + "request-method");
        return request.method().equals(HttpMethods.OPTIONS) && origin.isPresent() && method.isPresent()
                ? Exchange.answered(preflight(request, origin.get(), method.get()))
                : new Shared(api.begin(request), origin);
    }

    private static Optional<String> value(HttpRequest request, String name) {
        return request.getHeader(name).map(HttpHeader::value);
    }

    private HttpResponse preflight(HttpRequest request, String origin, String method) {
        HttpResponse answer = readable(HttpResponse.create().withStatus(StatusCodes.NO_CONTENT), Optional.of(origin))
                .addHeader(RawHeader.create("Access-Control-Allow-Methods", method))
                .addHeader(RawHeader.create(
                        "Access-Control-Max-Age",
                        Long.toString(settings.maxAge().toSeconds())));
        return value(request, FAMILY + "request-headers")
                .map(CrossOrigin::ofClients)
                .filter(names -> !names.isEmpty())
                .map(names -> answer.addHeader(RawHeader.create("Access-Control-Allow-Headers", names)))
                .orElse(answer);
    }

    /**
     * All headers but those that override routing: a page on a trusted caller's machine is not that caller. Their names are
     * read with - for _, as routing reads them.
     */
    private static String ofClients(String names) {
        return Arrays.stream(names.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty()
                        && !name.toLowerCase(Locale.ROOT).replace('_', '-').startsWith("x-router-"))
                .collect(Collectors.joining(", "));
    }

    /** By pages of this origin; without one, by no page, whatever the worker says. */
    private static HttpResponse readable(HttpResponse response, Optional<String> origin) {
        List<HttpHeader> headers = new ArrayList<>();
        for (HttpHeader header : response.getHeaders()) {
            if (!header.lowercaseName().startsWith(FAMILY)) {
                headers.add(header);
            }
        }
        origin.ifPresent(allowed -> {
            headers.add(RawHeader.create("Access-Control-Allow-Origin", allowed));
            headers.add(RawHeader.create("Access-Control-Expose-Headers", EXPOSED));
        });
        headers.add(RawHeader.create("Vary", "Origin"));
        return response.withHeaders(headers);
    }

    /** An exchange whose answer pages of an allowed origin may read, and no others. */
    private static final class Shared extends OuterExchange {
        private final Optional<String> origin;

        Shared(Exchange exchange, Optional<String> origin) {
            super(exchange);
            this.origin = origin;
        }

        @Override
        public CompletionStage<HttpResponse> response() {
            return super.response().thenApply(response -> readable(response, origin));
        }
    }
}
