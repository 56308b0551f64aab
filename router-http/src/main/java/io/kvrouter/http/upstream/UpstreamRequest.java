package io.kvrouter.http.upstream;

import io.kvrouter.http.header.Header;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.pekko.util.ByteString;

/**
 * What a worker is asked. Host and Content-Length are written from the base URL and the body, hop-by-hop headers are
 * left out; all other headers go as they are.
 *
 * @param base the worker's base URL; its path is put before {@code pathAndQuery}
 * @param pathAndQuery origin form, starting with a slash
 */
public record UpstreamRequest(URI base, String method, String pathAndQuery, List<Header> headers, ByteString body) {
    public UpstreamRequest {
        if (base.getHost() == null || !(isScheme(base, "http") || isScheme(base, "https"))) {
            throw new IllegalArgumentException("worker url: " + base + " (expected: http(s)://host[:port][/path])");
        }
        if (!method.chars().allMatch(c -> c >= 'A' && c <= 'Z') || method.isEmpty()) {
            throw new IllegalArgumentException("method: " + method + " (expected: upper-case letters)");
        }
        if (!pathAndQuery.startsWith("/") || pathAndQuery.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            throw new IllegalArgumentException("request target (expected: /path, printable ASCII)");
        }
        headers = List.copyOf(headers);
    }

    /** With this header, in place of any of that name. */
    public UpstreamRequest with(Header header) {
        var all = new ArrayList<>(without(other -> other.is(header.name())).headers());
        all.add(header);
        return new UpstreamRequest(base, method, pathAndQuery, all, body);
    }

    /** Without any of these headers. */
    public UpstreamRequest without(Predicate<Header> headersThat) {
        var left = headers.stream().filter(headersThat.negate()).toList();
        return new UpstreamRequest(base, method, pathAndQuery, left, body);
    }

    private static boolean isScheme(URI base, String scheme) {
        return scheme.equalsIgnoreCase(base.getScheme());
    }
}
