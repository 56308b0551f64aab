package io.kvrouter.bench.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToMessageEncoder;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads a whole request as {@link Call} makes it, the bytes of HTTP/1.1, for a wire that has another form of it. */
@Sharable
final class RequestMessages extends MessageToMessageEncoder<ByteBuf> {
    static final RequestMessages INSTANCE = new RequestMessages();

    private static final String LINE_END = "\r\n";
    private static final ByteBuf HEAD_END =
            Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("\r\n\r\n", StandardCharsets.US_ASCII));

    private RequestMessages() {
        super(ByteBuf.class);
    }

    @Override
    protected void encode(ChannelHandlerContext context, ByteBuf bytes, List<Object> out) {
        out.add(read(bytes));
    }

    /** The body shares the bytes, and counts as one more reader of them. */
    static FullHttpRequest read(ByteBuf bytes) {
        int end = ByteBufUtil.indexOf(HEAD_END, bytes);
        if (end < 0) {
            throw new IllegalArgumentException("a request without the end of its head");
        }
        String[] lines = bytes.toString(0, end, StandardCharsets.US_ASCII).split(LINE_END, -1);
        String[] first = lines[0].split(" ", -1);
        int body = end + HEAD_END.readableBytes();
        var request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                HttpMethod.valueOf(first[0]),
                first[1],
                bytes.retainedSlice(body, bytes.readableBytes() - body));
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            request.headers()
                    .add(
                            lines[i].substring(0, colon),
                            lines[i].substring(colon + 1).strip());
        }
        return request;
    }
}
