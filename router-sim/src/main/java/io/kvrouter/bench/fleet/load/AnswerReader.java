package io.kvrouter.bench.fleet.load;

import io.kvrouter.bench.fleet.load.Asked.Outcome;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/** One connection to an ingress: at most one turn on it, whose answer streams. */
final class AnswerReader extends SimpleChannelInboundHandler<HttpObject> {
    private final Ingress ingress;
    private @Nullable Channel channel;
    private @Nullable Asked turn;
    private int status;
    private String worker = "";
    private boolean keepAlive;
    private boolean begun;

    AnswerReader(Ingress ingress) {
        this.ingress = ingress;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    void send(Asked next) {
        turn = next;
        begun = false;
        if (channel != null) {
            var unused = channel.writeAndFlush(Unpooled.wrappedBuffer(next.request()), channel.voidPromise());
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (part.decoderResult().isFailure()) {
            var unused = context.close();
            return;
        }
        if (part instanceof HttpResponse head) {
            status = head.status().code();
            worker = head.headers().get("x-router-worker", "");
            keepAlive = HttpUtil.isKeepAlive(head);
        }
        if (part instanceof HttpContent content && content.content().isReadable() && !begun) {
            begin();
        }
        if (part instanceof LastHttpContent) {
            ended(context);
        }
    }

    private void begin() {
        begun = true;
        if (turn != null && Asked.good(status)) {
            turn.atFirst().accept(System.nanoTime());
        }
    }

    private void ended(ChannelHandlerContext context) {
        if (keepAlive) {
            ingress.idle(this);
        } else {
            var unused = context.close();
        }
        end(new Outcome(status, worker, System.nanoTime()));
    }

    private void end(Outcome outcome) {
        Asked over = turn;
        turn = null;
        if (over != null) {
            ingress.ended(over, outcome);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ingress.closed(this);
        end(Outcome.broken());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var unused = context.close();
    }
}
