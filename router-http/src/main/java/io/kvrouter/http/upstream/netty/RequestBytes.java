package io.kvrouter.http.upstream.netty;

import io.kvrouter.http.header.EndToEndHeaders;
import io.kvrouter.http.header.Header;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.apache.pekko.util.ByteString;

/** A request as bytes. The body is wrapped, not copied. */
final class RequestBytes {
    private RequestBytes() {}

    static ByteBuf of(UpstreamRequest request) {
        ByteBuf head = Unpooled.wrappedBuffer(head(request).getBytes(StandardCharsets.ISO_8859_1));
        ByteString body = request.body();
        return body.isEmpty() ? head : Unpooled.wrappedBuffer(head, Unpooled.wrappedBuffer(body.toArrayUnsafe()));
    }

    private static String head(UpstreamRequest request) {
        StringBuilder head = new StringBuilder(512);
        String path = request.base().getRawPath();
        head.append(request.method()).append(' ');
        if (path != null && path.length() > 1) {
            head.append(path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
        }
        head.append(request.pathAndQuery()).append(" HTTP/1.1\r\n");
        field(head, "Host", Target.of(request.base()).authority());
        for (Header header : EndToEndHeaders.of(request.headers())) {
            if (!header.is("host")) {
                field(head, header.name(), header.value());
            }
        }
        if (!request.body().isEmpty() || expectsBody(request.method())) {
            field(head, "Content-Length", Integer.toString(request.body().size()));
        }
        return head.append("\r\n").toString();
    }

    private static void field(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }

    private static boolean expectsBody(String method) {
        return method.equals("POST") || method.equals("PUT") || method.equals("PATCH");
    }
}
