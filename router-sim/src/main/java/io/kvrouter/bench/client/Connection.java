package io.kvrouter.bench.client;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/** One connection to a node, or one stream of a shared one, with at most one call on it. */
final class Connection extends SimpleChannelInboundHandler<HttpObject> {
    private final Ingress ingress;
    private @Nullable Channel channel;
    private @Nullable Call call;
    private Head head = Head.NONE;

    Connection(Ingress ingress) {
        this.ingress = ingress;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    void send(Call next) {
        call = next;
        head = Head.NONE;
        if (channel != null) {
            var unused = channel.writeAndFlush(Unpooled.wrappedBuffer(next.request()), channel.voidPromise());
        }
    }

    void close() {
        if (channel != null) {
            var unused = channel.close();
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (part.decoderResult().isFailure()) {
            var unused = context.close();
            return;
        }
        if (part instanceof HttpResponse response) {
            head = Head.of(response);
        }
        if (part instanceof HttpContent content && content.content().isReadable() && call != null) {
            call.part(head, content.content());
        }
        if (part instanceof LastHttpContent) {
            answered(context);
        }
    }

    private void answered(ChannelHandlerContext context) {
        if (head.keepAlive()) {
            ingress.idle(this);
        } else {
            var unused = context.close();
        }
        end(new Outcome.Answered(head));
    }

    private void end(Outcome outcome) {
        Call over = call;
        call = null;
        if (over != null) {
            ingress.ended(over, outcome);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ingress.closed(this);
        end(Outcome.Unanswered.BROKEN_OFF);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var unused = context.close();
    }
}
