package io.kvrouter.http.upstream.netty;

import io.kvrouter.http.header.EndToEndHeaders;
import io.kvrouter.http.header.Header;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import java.nio.charset.StandardCharsets;

/**
 * A request on its way to a worker. It is written piece by piece, each when the socket has taken the one before: what is
 * written is copied into direct memory, so that a worker that accepts and does not read holds one piece of it and not
 * whole bodies, and others have their turn on the loop while a long one goes out. Used on its connection's loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // addListener returns the future it was called on
final class RequestBytes implements ChannelFutureListener {
    private static final int PIECE = 64 * 1024;
    private static final byte[] NOTHING = {};

    private final String head;
    private byte[] body;
    private int written;
    private boolean sent;

    private RequestBytes(String head, byte[] body) {
        this.head = head;
        this.body = body;
    }

    static RequestBytes of(UpstreamRequest request) {
        return new RequestBytes(head(request), request.body().toArrayUnsafe());
    }

    /** Writes it: the head with the first piece at once, so that a short request is one write. */
    void writeTo(Channel channel) {
        write(channel, head);
    }

    /** Whether the socket has taken it all. */
    boolean sent() {
        return sent;
    }

    /** A piece is out, or will never be: then the connection is gone. */
    @Override
    public void operationComplete(ChannelFuture piece) {
        boolean more = piece.isSuccess() && written < body.length;
        if (more) {
            write(piece.channel(), "");
        } else {
            sent = piece.isSuccess();
            body = NOTHING;
        }
        if (!piece.isSuccess()) { // which may leave the channel open
            piece.channel().pipeline().fireExceptionCaught(piece.cause());
        }
    }

    private void write(Channel channel, String before) {
        int next = Math.min(PIECE, body.length - written);
        ByteBuf piece = channel.alloc().ioBuffer(before.length() + next);
        piece.writeCharSequence(before, StandardCharsets.ISO_8859_1);
        piece.writeBytes(body, written, next);
        written += next;
        channel.writeAndFlush(piece).addListener(this);
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
