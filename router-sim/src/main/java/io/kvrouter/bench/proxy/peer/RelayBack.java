package io.kvrouter.bench.proxy.peer;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/** A {@link PlainRelay}'s connection to its worker, and the client that it serves, if any. */
final class RelayBack extends ChannelInboundHandlerAdapter {
    private final PlainRelay relay;
    private @Nullable Channel channel;
    private @Nullable RelayFront front;
    private boolean keepAlive;

    RelayBack(PlainRelay relay, RelayFront first) {
        this.relay = relay;
        this.front = first;
    }

    /** It stands, and takes what its client sends. */
    void connected(Channel made) {
        channel = made;
        if (front == null || !front.channel().isActive()) {
            close();
        }
    }

    boolean ready() {
        return channel != null;
    }

    void serve(RelayFront next) {
        front = next;
    }

    void write(Object part) {
        if (channel != null) {
            var unused = channel.write(part, channel.voidPromise());
        } else {
            ReferenceCountUtil.release(part);
        }
    }

    void flush() {
        if (channel != null) {
            channel.flush();
        }
    }

    void readOn(boolean more) {
        if (channel != null) {
            channel.config().setAutoRead(more);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) {
        RelayFront to = front;
        if (to == null) {
            ReferenceCountUtil.release(part);
            return;
        }
        if (part instanceof HttpResponse head) {
            keepAlive = HttpUtil.isKeepAlive(head);
        }
        boolean last = part instanceof LastHttpContent;
        var unused = to.channel().write(part, to.channel().voidPromise());
        if (last) {
            to.channel().flush();
            over(context, to);
        }
    }

    private void over(ChannelHandlerContext context, RelayFront served) {
        front = null;
        served.answered();
        if (keepAlive) {
            context.channel().config().setAutoRead(true);
            relay.give(context.channel().eventLoop(), this);
        } else {
            close();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        RelayFront to = front;
        if (to != null) {
            to.channel().flush();
            if (!to.channel().isWritable()) {
                readOn(false);
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (front != null) {
            front.readOn(context.channel().isWritable());
        }
    }

    void close() {
        if (channel != null) {
            var unused = channel.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        relay.gone(context.channel().eventLoop(), this);
        if (front != null) {
            front.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        close();
    }
}
