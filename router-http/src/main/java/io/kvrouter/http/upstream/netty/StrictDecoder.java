package io.kvrouter.http.upstream.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;

/** Reads answers as RFC 9112 frames them, one at a time, and tells what Netty's decoder would let pass. */
final class StrictDecoder extends HttpResponseDecoder {
    private boolean head;
    private boolean touched;
    private boolean contradicts;

    StrictDecoder(int maxHeadBytes) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(Math.min(maxHeadBytes, 8192))
                .setMaxHeaderSize(maxHeadBytes)
                .setMaxChunkSize(64 * 1024)
                .setStrictLineParsing(true)
                .setAllowDuplicateContentLengths(false));
    }

    /** The next answer is one to this method. */
    void expect(String method) {
        head = method.equals("HEAD");
        touched = false;
    }

    /** Whether a byte has come since the request was sent. */
    boolean touched() {
        return touched;
    }

    /** Whether bytes wait that belong to no answer yet. */
    boolean hasUnread() {
        return actualReadableBytes() > 0;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
        touched = true;
        super.channelRead(context, bytes);
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        boolean empty = super.isContentAlwaysEmpty(message);
        contradicts = empty && HttpUtil.isTransferEncodingChunked(message); // which is taken out of the head next
        return head || empty;
    }

    /** Whether the last head said that chunks follow, though its status has no body. */
    boolean contradicts() {
        return contradicts;
    }

    /** What is wrong with a head, empty if nothing: framing that two readers could understand differently is wrong. */
    static String fault(HttpResponse response) {
        if (response.decoderResult().isFailure()) {
            return "malformed head";
        }
        HttpVersion version = response.protocolVersion();
        if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
            return "version " + version;
        }
        if (response.status().code() == 101) {
            return "an upgrade that was not asked for";
        }
        List<String> codings = response.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (codings.isEmpty()) {
            return "";
        }
        boolean chunked = codings.size() == 1 && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.get(0));
        return chunked && version.equals(HttpVersion.HTTP_1_1) ? "" : "transfer encoding other than chunked";
    }
}
