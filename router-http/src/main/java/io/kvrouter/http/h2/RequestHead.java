package io.kvrouter.http.h2;

import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.pekko.http.javadsl.model.AttributeKeys;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpMethod;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.RemoteAddress;
import org.apache.pekko.http.javadsl.model.RequestEntity;
import org.apache.pekko.http.javadsl.model.Uri;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request as Pekko HTTP's server makes one of HTTP/1.1, for whoever answers requests knows no other. That
 * there are no pseudo headers but those of a request, and no headers of a connection, the codec has seen to.
 *
 * @param request without its body
 * @param length of the body, if it is stated
 */
record RequestHead(HttpRequest request, ContentType type, OptionalLong length) {
    private static final int MOST_FIELDS = 256;
    private static final int LONGEST_PATH = 16 * 1024;
    private static final String JSON = "application/json";
    private static final String ANY_HOST = "http://router"; // the client's own is in the headers

    /**
     * Reads it.
     *
     * @throws ApiException says what is wrong with it
     */
    static RequestHead of(Http2Headers head, SocketAddress peer) {
        if (head.size() > MOST_FIELDS) {
            throw unreadable(431, "The request has too many header fields.");
        }
        HttpRequest request = HttpRequest.create()
                .withMethod(method(head.method()))
                .withUri(target(text(head.path())))
                .addHeaders(headers(head));
        if (peer instanceof InetSocketAddress address) {
            request = request.addAttribute(AttributeKeys.remoteAddress, RemoteAddress.create(address));
        }
        return new RequestHead(request, type(head.getAll("content-type")), length(head.get("content-length")));
    }

    /**
     * The request with its body.
     *
     * @throws ApiException if its method has none
     */
    HttpRequest with(RequestEntity body) {
        if (!body.isKnownEmpty() && !request.method().isEntityAccepted()) {
            throw unreadable(422, "A request with this method has no body.");
        }
        return request.withEntity(body);
    }

    private static HttpMethod method(@Nullable CharSequence name) {
        return HttpMethods.lookup(text(name)).orElseThrow(() -> unreadable(501, "There is no such method."));
    }

    private static Uri target(String path) {
        if (path.length() > LONGEST_PATH) {
            throw unreadable(414, "The path is too long.");
        }
        boolean whole = path.startsWith("/") && path.indexOf('#') < 0;
        if (!whole && !path.equals("*")) {
            throw unreadable(400, "The path can't be read.");
        }
        try {
            return Uri.create(whole ? ANY_HOST + path : path, Uri.RELAXED);
        } catch (RuntimeException e) { // of the library, which has no public type for it; quotes the path
            throw unreadable(400, "The path can't be read.");
        }
    }

    private static List<HttpHeader> headers(Http2Headers head) {
        List<HttpHeader> headers = new ArrayList<>(head.size());
        boolean named = head.authority() != null;
        if (named) {
            headers.add(RawHeader.create("host", text(head.authority())));
        }
        List<String> cookies = new ArrayList<>(0);
        for (Map.Entry<CharSequence, CharSequence> field : head) {
            String name = text(field.getKey());
            switch (name) {
                case "cookie" -> cookies.add(text(field.getValue()));
                case "content-type", "content-length" -> {} // of the body
                default -> {
                    if (!name.startsWith(":") && !(named && name.equals("host"))) {
                        headers.add(RawHeader.create(name, text(field.getValue())));
                    }
                }
            }
        }
        if (!cookies.isEmpty()) {
            headers.add(RawHeader.create("cookie", String.join("; ", cookies))); // clients may send them one by one
        }
        return headers;
    }

    private static ContentType type(List<CharSequence> stated) {
        if (stated.isEmpty()) {
            return ContentTypes.NO_CONTENT_TYPE;
        }
        if (stated.size() > 1) {
            throw unreadable(400, "The request has several content types.");
        }
        String only = text(stated.getFirst());
        if (only.equals(JSON)) {
            return ContentTypes.APPLICATION_JSON; // what nearly all have; the library reads every one by its grammar
        }
        try {
            return ContentTypes.parse(only);
        } catch (RuntimeException e) { // whatever the library makes of it
            throw unreadable(400, "The content type can't be read.");
        }
    }

    /** That it is a number, and that of the bytes that come, is the codec's to check. */
    private static OptionalLong length(@Nullable CharSequence stated) {
        try {
            return stated == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text(stated)));
        } catch (NumberFormatException e) {
            throw unreadable(400, "The content length can't be read.");
        }
    }

    private static ApiException unreadable(int status, String message) {
        return new ApiException(ApiError.refused(status, "unreadable_request", message));
    }

    /** Bytes as UTF-8, as Pekko HTTP reads them. */
    private static String text(@Nullable CharSequence value) {
        if (value == null) {
            return "";
        }
        return value instanceof AsciiString bytes
                ? new String(bytes.array(), bytes.arrayOffset(), bytes.length(), StandardCharsets.UTF_8)
                : value.toString();
    }
}
