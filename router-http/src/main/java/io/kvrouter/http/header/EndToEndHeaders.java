package io.kvrouter.http.header;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What passes the router in either direction: all headers but those of one hop. Dropped are the hop-by-hop fields of
 * RFC 9110 section 7.6.1, those that Connection names, and Content-Length, which each hop states anew. Order and
 * repetition stay: two Set-Cookie are two Set-Cookie.
 */
public final class EndToEndHeaders {
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-authentication-info",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings",
            "expect",
            "content-length");

    private EndToEndHeaders() {}

    /** The fields of a message that belong to its end points. */
    public static List<Header> of(List<Header> headers) {
        Set<String> named = namedByConnection(headers);
        List<Header> passed = new ArrayList<>(headers);
        boolean dropped = passed.removeIf(header -> HOP_BY_HOP.contains(header.key()) || named.contains(header.key()));
        return dropped ? passed : headers;
    }

    private static Set<String> namedByConnection(List<Header> headers) {
        Set<String> named = Set.of();
        for (Header header : headers) {
            if (header.key().equals("connection")) {
                named = new HashSet<>(named);
                for (String option : header.value().split(",", -1)) {
                    named.add(option.strip().toLowerCase(Locale.ROOT));
                }
            }
        }
        return named;
    }
}
