package io.kvrouter.bench.proxy.peer;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A client's connection to a {@link PlainRelay}. */
final class RelayFront extends ChannelInboundHandlerAdapter {
    private final PlainRelay relay;
    private final Channel channel;
    private final EventLoop loop;
    private final Deque<Object> unsent = new ArrayDeque<>();
    private @Nullable RelayBack back;

    RelayFront(PlainRelay relay, Channel channel) {
        this.relay = relay;
        this.channel = channel;
        this.loop = channel.eventLoop();
    }

    Channel channel() {
        return channel;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) {
        if (part instanceof HttpRequest request) {
            request.headers().set(HttpHeaderNames.HOST, relay.host());
            request.headers().remove(HttpHeaderNames.CONNECTION);
            begin();
        }
        RelayBack to = back;
        if (to != null && to.ready()) {
            to.write(part);
        } else if (to != null) {
            unsent.add(part);
        } else {
            ReferenceCountUtil.release(part);
        }
    }

    private void begin() {
        RelayBack waiting = relay.take(loop);
        if (waiting != null) {
            waiting.serve(this);
            back = waiting;
            return;
        }
        RelayBack made = new RelayBack(relay, this);
        back = made;
        channel.config().setAutoRead(false);
        var unused = relay.connect(loop, made).addListener((ChannelFuture connected) -> {
            if (connected.isSuccess()) {
                made.connected(connected.channel());
                unsent.forEach(made::write);
                unsent.clear();
                made.flush();
                channel.config().setAutoRead(true);
            } else {
                close();
            }
        });
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (back != null && back.ready()) {
            back.flush();
        }
    }

    /** The answer is over. */
    void answered() {
        back = null;
    }

    void readOn(boolean more) {
        channel.config().setAutoRead(more);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (back != null) {
            back.readOn(channel.isWritable());
        }
    }

    void close() {
        var unused = channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        unsent.forEach(ReferenceCountUtil::release);
        unsent.clear();
        if (back != null) {
            back.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        close();
    }
}
