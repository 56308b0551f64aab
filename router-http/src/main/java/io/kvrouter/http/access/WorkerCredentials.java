package io.kvrouter.http.access;

import io.kvrouter.http.header.Credentials;
import io.kvrouter.http.header.Header;
import io.kvrouter.http.upstream.UpstreamRequest;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What workers know the router by. A secret goes to the one address that it is set for: whoever registers a worker, or
 * moves one, can't have it sent to another.
 */
public final class WorkerCredentials {
    /** Workers ask for nothing, or for what their clients show them. */
    public static final WorkerCredentials NONE = new WorkerCredentials(Map.of());

    private static final String AUTHORIZATION = "Authorization";

    private final Map<URI, Supplier<String>> secrets;

    /** @param secrets base URL of a worker -> the secret, as it is now */
    public WorkerCredentials(Map<URI, Supplier<String>> secrets) {
        this.secrets = Map.copyOf(secrets);
    }

    /** A client's request, with the worker's credential in place of whatever the client has shown. */
    public UpstreamRequest sign(UpstreamRequest request) {
        Supplier<String> secret = secrets.get(request.base());
        return secret == null
                ? request
                : request.without(Credentials::isOne).with(new Header(AUTHORIZATION, bearer(secret)));
    }

    /** A request of the router's own. */
    public HttpRequest.Builder sign(HttpRequest.Builder request, URI worker) {
        Supplier<String> secret = secrets.get(worker);
        return secret == null ? request : request.setHeader(AUTHORIZATION, bearer(secret));
    }

    private static String bearer(Supplier<String> secret) {
        return "Bearer " + secret.get();
    }
}
