package io.kvrouter.http.upstream.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.channel.unix.UnixChannel;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One connection to a worker and the call it serves, if any. Used on its own event loop only. */
@SuppressWarnings("FutureReturnValueIgnored") // closing is reported by channelInactive
final class WorkerConnection extends ChannelInboundHandlerAdapter {
    private static final int MOST_UNHEARD = 7; // each twice as long after the one before: 25 s

    /** Where a byte goes that ends the connection, whatever it is: one for all, since nobody looks. */
    private static final ByteBuffer ANY_BYTE = ByteBuffer.allocateDirect(1);

    private final Target target;
    private final Channel channel;
    private final StrictDecoder decoder;
    private @Nullable NettyCall call;
    private @Nullable RequestBytes sending;
    private long idleSince;

    WorkerConnection(Target target, Channel channel, StrictDecoder decoder) {
        this.target = target;
        this.channel = channel;
        this.decoder = decoder;
    }

    Target target() {
        return target;
    }

    void send(NettyCall next, String method, RequestBytes request) {
        call = next;
        decoder.expect(method);
        sending = request;
        request.writeTo(channel);
    }

    /** Whether not a single byte has answered the request. */
    boolean untouched() {
        return !decoder.touched();
    }

    /** Whether the answer's head said that chunks follow, though its status has no body. */
    boolean contradicts() {
        return decoder.contradicts();
    }

    boolean hasUnread() {
        return decoder.hasUnread();
    }

    /** Takes the call off. False if the connection can't serve another, because the request was not yet all written. */
    boolean detach(long now) {
        call = null;
        idleSince = now;
        return sending != null && sending.sent() && channel.isActive();
    }

    long idleSince() {
        return idleSince;
    }

    void pause() {
        channel.config().setAutoRead(false);
    }

    /** May be called from any thread. */
    void resume() {
        channel.config().setAutoRead(true);
    }

    /**
     * Whether the worker has not closed while the connection waited. The end of it may lie unread in the kernel until
     * the loop comes round, so the socket itself is asked: it must have nothing to say. (NIO sockets are not asked;
     * there the loop's knowledge must do.)
     */
    boolean alive() {
        if (!channel.isActive()) {
            return false;
        }
        if (!(channel instanceof UnixChannel unix)) {
            return true;
        }
        try {
            return unix.fd().read(ANY_BYTE, 0, 1) == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Gives the connection up if the worker's host acknowledges nothing of what was sent, nor any question whether it can
     * take more. Keep-alive does not ask while something is on its way, and the kernel goes on sending for a quarter of an
     * hour. Its own bound, the user time-out, is none for us: it ends the connection also to a worker that lives and reads
     * late, such as one that accepts connections that it has no thread for yet.
     */
    void dropIfUnheard() {
        if (channel instanceof EpollSocketChannel socket && channel.isActive() && isUnheard(socket.tcpInfo())) {
            lost(new IOException("the host acknowledges nothing"));
            reset();
        }
    }

    private static boolean isUnheard(EpollTcpInfo tcp) {
        return tcp.retransmits() >= MOST_UNHEARD || tcp.probes() >= MOST_UNHEARD;
    }

    void close() {
        call = null;
        channel.close();
    }

    /** Ends it by RST: the worker learns at once that nobody reads on. */
    void reset() {
        call = null;
        if (channel.isActive()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            NettyCall current = call;
            if (current != null) {
                current.read((HttpObject) message);
            } else {
                channel.close();
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        NettyCall current = call;
        if (current != null) {
            current.readComplete();
        }
        context.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        lost(null);
    }

    /** By TLS a worker may say that it sends no more, and not close. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslCloseCompletionEvent) {
            channel.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        lost(cause);
        channel.close();
    }

    private void lost(@Nullable Throwable cause) {
        NettyCall current = call;
        call = null;
        if (current != null) {
            current.lost(cause);
        }
    }
}
