package io.kvrouter.http.management;

import io.kvrouter.access.Operator.Right;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.http.javadsl.model.HttpMethod;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * The right that a request to the management port needs, by method and path. What is not in these tables, Pekko
 * Management's own paths too, is reading by GET and HEAD and a change by all else.
 */
final class NeededRight {
    /** Probes have no key, and learn no more than yes, or why not. */
    private static final Set<String> OPEN = Set.of("/ready", "/alive");

    /** A question that needs a body. */
    private static final Set<String> ASKING = Set.of("/router/explain");

    private static final Set<HttpMethod> READING = Set.of(HttpMethods.GET, HttpMethods.HEAD);

    private NeededRight() {}

    /** Whether it asks for what there is, and can change nothing. */
    static boolean reads(HttpRequest request) {
        return READING.contains(request.method());
    }

    /** Empty for what everybody may. */
    static Optional<Right> of(HttpRequest request) {
        String path = request.getUri().getPathString();
        if (reads(request)) {
            return OPEN.contains(path) ? Optional.empty() : Optional.of(Right.READ);
        }
        boolean asks = request.method().equals(HttpMethods.POST) && ASKING.contains(path);
        return Optional.of(asks ? Right.READ : Right.CHANGE);
    }
}
