package io.kvrouter.http.upstream.netty;

import io.kvrouter.http.header.EndToEndHeaders;
import io.kvrouter.http.header.Header;
import io.kvrouter.http.upstream.UpstreamResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Status line and headers of an answer.
 *
 * @param keepAlive whether the worker lets the connection live on after it
 */
record ResponseHead(int status, String reason, List<Header> headers, OptionalLong length, boolean keepAlive) {
    static ResponseHead of(HttpResponse response) {
        List<Header> all = response.headers().entries().stream()
                .map((Map.Entry<String, String> field) -> new Header(field.getKey(), field.getValue()))
                .toList();
        boolean chunked = HttpUtil.isTransferEncodingChunked(response);
        int status = response.status().code();
        OptionalLong length = chunked ? OptionalLong.empty() : length(response, status);
        boolean framed = chunked || length.isPresent();
        boolean ambiguous = chunked && response.headers().contains(HttpHeaderNames.CONTENT_LENGTH);
        return new ResponseHead(
                status,
                response.status().reasonPhrase(),
                EndToEndHeaders.of(all),
                length,
                framed && !ambiguous && HttpUtil.isKeepAlive(response));
    }

    private static OptionalLong length(HttpResponse response, int status) {
        if (status == 204 || status == 304) {
            return OptionalLong.of(0);
        }
        long stated = HttpUtil.getContentLength(response, -1L);
        return stated >= 0 ? OptionalLong.of(stated) : OptionalLong.empty();
    }

    UpstreamResponse withBody(Source<ByteString, NotUsed> body) {
        return new UpstreamResponse(status, reason, headers, length, body);
    }

    UpstreamResponse withWhole(ByteString body) {
        return new UpstreamResponse(status, reason, headers, length, Source.single(body), Optional.of(body));
    }

    /** Whether all of a body of at most so many bytes is likely to be read together with this. */
    boolean mayBeWhole(int most) {
        return length.isPresent() && length.getAsLong() > 0 && length.getAsLong() <= most;
    }
}
