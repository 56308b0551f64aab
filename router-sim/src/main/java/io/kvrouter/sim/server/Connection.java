package io.kvrouter.sim.server;

import io.kvrouter.sim.api.Refused;
import io.kvrouter.sim.server.LoggedRequest.Outcome;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One client connection: requests are answered one after the other. It reads on while it answers, so that a client
 * that closes or resets is noticed at once, before the head of the answer and in the middle of it.
 */
final class Connection extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final WorkerCore core;
    private final Routes routes;
    private final Deque<FullHttpRequest> pipelined = new ArrayDeque<>();
    private @Nullable Exchange current;
    private @Nullable ChannelHandlerContext context;

    Connection(WorkerCore core, Routes routes) {
        this.core = core;
        this.routes = routes;
    }

    boolean isIdle() {
        return current == null;
    }

    /** Ends what is under way as failed and closes with a reset. */
    void reset() {
        if (current != null) {
            current.abandon(Outcome.FAILED);
        }
        if (context != null) {
            Exchange.reset(context.channel());
        }
    }

    void close() {
        if (context != null) {
            var unused = context.close();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        core.connections().add(this);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        core.connections().remove(this);
        if (current != null) {
            current.abandon(Outcome.CLIENT_GONE);
        }
        pipelined.forEach(FullHttpRequest::release);
        pipelined.clear();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (current == null) {
            begin(ctx, request);
        } else {
            pipelined.add(request.retain());
        }
    }

    /** A broken connection: nobody reads an answer any more. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        var unused = ctx.close();
    }

    private void begin(ChannelHandlerContext ctx, FullHttpRequest request) {
        var head = new Exchange.RequestHead(
                request.method().name(), new QueryStringDecoder(request.uri()).path(), request.headers());
        var exchange = new Exchange(
                ctx.channel(),
                head,
                ByteBufUtil.getBytes(request.content()),
                core::nowMs,
                () -> ctx.executor().execute(() -> next(ctx)));
        current = exchange;
        if (request.decoderResult().isFailure()) {
            exchange.refuse(Refused.badRequest("request: not HTTP/1.1"));
            var unused = ctx.close();
        } else {
            routes.serve(exchange, this);
        }
    }

    private void next(ChannelHandlerContext ctx) {
        current = null;
        if (core.refusing()) {
            close();
            return;
        }
        FullHttpRequest request = pipelined.poll();
        if (request != null) {
            begin(ctx, request);
            request.release();
        }
    }
}
