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
 * @param length bytes of its body; empty if only its end tells
 * @param cut whether the answer ends here, though its framing says that something follows, or might: statuses that have
 *     no body end at their head (RFC 9112, 6.3), and what two readers could take for different answers is not read on
 * @param keepAlive whether the worker lets the connection live on after it
 */
record ResponseHead(
        int status, String reason, List<Header> headers, OptionalLong length, boolean cut, boolean keepAlive) {
    private static final int RESET_CONTENT = 205;

    /** @param contradicts it said that chunks follow, though its status has no body */
    static ResponseHead of(HttpResponse response, boolean contradicts) {
        List<Header> all = response.headers().entries().stream()
                .map((Map.Entry<String, String> field) -> new Header(field.getKey(), field.getValue()))
                .toList();
        boolean chunked = HttpUtil.isTransferEncodingChunked(response);
        int status = response.status().code();
        boolean endsAtHead = status == 204 || status == 304;
        boolean bodiless = endsAtHead || status == RESET_CONTENT;
        OptionalLong stated = chunked || endsAtHead ? OptionalLong.empty() : stated(response);
        boolean cut = contradicts || (status == RESET_CONTENT && stated.orElse(1) > 0);
        boolean framed = endsAtHead || chunked || stated.isPresent();
        boolean ambiguous = chunked && response.headers().contains(HttpHeaderNames.CONTENT_LENGTH);
        return new ResponseHead(
                status,
                response.status().reasonPhrase(),
                EndToEndHeaders.of(all),
                bodiless ? OptionalLong.of(0) : stated,
                cut,
                framed && !ambiguous && !cut && HttpUtil.isKeepAlive(response));
    }

    private static OptionalLong stated(HttpResponse response) {
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
