package io.kvrouter.bench.sessions.load;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/** One connection to a node, with at most one turn on it. */
final class TurnConnection extends SimpleChannelInboundHandler<HttpObject> {
    private final Target target;
    private final TurnClient client;
    private @Nullable Channel channel;
    private @Nullable Turn turn;
    private Answer answer = Answer.NONE;

    /** The head of an answer. */
    record Answer(int status, String worker, String decision, boolean keepAlive) {
        static final Answer NONE = new Answer(0, "", "none", false);

        static Answer of(HttpResponse head) {
            return new Answer(
                    head.status().code(),
                    head.headers().get("x-router-worker", ""),
                    head.headers().get("x-router-decision", "none"),
                    HttpUtil.isKeepAlive(head));
        }
    }

    TurnConnection(Target target, TurnClient client) {
        this.target = target;
        this.client = client;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    void send(Turn next) {
        turn = next;
        answer = Answer.NONE;
        if (channel != null) {
            var unused = channel.writeAndFlush(Unpooled.wrappedBuffer(client.bytes(next)), channel.voidPromise());
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (part.decoderResult().isFailure()) {
            var unused = context.close();
            return;
        }
        if (part instanceof HttpResponse head) {
            answer = Answer.of(head);
        }
        if (part instanceof LastHttpContent) {
            ended(context);
        }
    }

    private void ended(ChannelHandlerContext context) {
        Turn done = turn;
        turn = null;
        if (answer.keepAlive()) {
            target.release(this);
        } else {
            var unused = context.close();
        }
        if (done != null) {
            client.answered(done, answer, target);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        target.closed(this);
        if (turn != null) {
            Turn broken = turn;
            turn = null;
            client.broken(broken, target);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var unused = context.close();
    }
}
