package io.kvrouter.http.ingress;

import io.kvrouter.access.Caller;
import io.kvrouter.access.Trust;
import io.kvrouter.http.accesslog.AccessEntry;
import io.kvrouter.http.header.Credentials;
import io.kvrouter.http.header.Header;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.kvrouter.http.server.PassedOn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/** A request's headers as routing and the worker need them. Names match without case, and with - for _. */
public final class RequestHeaders {
    public static final String REQUEST_ID = "x-request-id";
    private static final String ROUTER = "x-router-";
    private static final int MAX_REQUEST_ID = 128;

    private final HttpRequest request;
    private final Map<String, String> firsts = new HashMap<>();
    private final String requestId;
    private final Caller caller;

    /** @param caller who sent it */
    public RequestHeaders(HttpRequest request, Caller caller) {
        this.request = request;
        this.caller = caller;
        request.getHeaders().forEach(header -> firsts.putIfAbsent(normal(header.name()), header.value()));
        this.requestId = first(REQUEST_ID)
                .filter(RequestHeaders::isRequestId)
                .orElseGet(() -> UUID.randomUUID().toString());
        AccessEntry.of(request).ifPresent(entry -> entry.from(requestId, caller.name()));
    }

    private static boolean isRequestId(String id) {
        return !id.isBlank() && id.length() <= MAX_REQUEST_ID && id.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    }

    /** The client's request id, or one that was made for it. */
    public String requestId() {
        return requestId;
    }

    /** The value of the first header of that name. */
    public Optional<String> first(String name) {
        return Optional.ofNullable(firsts.get(normal(name)));
    }

    private static String normal(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Who sent the request. */
    public Caller caller() {
        return caller;
    }

    /** Whether the caller may override routing. */
    public boolean trusted() {
        return caller.trusts(Trust.OVERRIDES);
    }

    /** Whether the caller may be served before others. */
    boolean prioritised() {
        return caller.trusts(Trust.PRIORITY);
    }

    /** The request itself. */
    HttpRequest request() {
        return request;
    }

    /** What goes on to the worker: everything but the router's own fields, and a key that was meant for the router. */
    List<Header> forwarded() {
        List<Header> headers = new ArrayList<>();
        for (Header header : passed()) {
            boolean key = caller.known() && Credentials.isOne(header);
            if (!header.is(REQUEST_ID) && !header.key().startsWith(ROUTER) && !key) {
                headers.add(header);
            }
        }
        headers.add(new Header(REQUEST_ID, requestId));
        return headers;
    }

    /** A control character, which Pekko HTTP lets in, is not let out again. */
    private List<Header> passed() {
        try {
            return PassedOn.headers(request);
        } catch (IllegalArgumentException e) { // its message names the field
            throw new ApiException(ApiError.badRequest("The request can't be passed on: " + e.getMessage() + "."), e);
        }
    }
}
