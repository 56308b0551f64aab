package io.kvrouter.http.access;

import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * A page of another origin. Whatever page a browser shows may have it send a request to a port that only its own machine
 * reaches; the browser says by {@code Origin} whose page it was. Other clients say nothing of the kind.
 */
public final class ForeignPage {
    private ForeignPage() {}

    /** Whether such a page sends this request. */
    public static boolean sends(HttpRequest request) {
        String own = own(request);
        for (HttpHeader header : request.getHeaders()) {
            if (header.lowercaseName().equals("origin") && !header.value().equalsIgnoreCase(own)) {
                return true;
            }
        }
        return false;
    }

    /** The origin of a page that this port itself has served, by the name that the browser has for it. */
    private static String own(HttpRequest request) {
        return request.getUri().getScheme() + "://"
                + request.getHeader("host").map(HttpHeader::value).orElse("");
    }
}
