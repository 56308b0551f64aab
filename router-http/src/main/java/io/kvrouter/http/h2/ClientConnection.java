package io.kvrouter.http.h2;

import io.kvrouter.http.server.ServerLifecycle;
import io.kvrouter.http.server.Serving;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: counted as any other, closed when it was idle for long, and ended with its streams when the
 * node leaves. Runs on the connection's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what can't be written has no reader
final class ClientConnection extends ChannelInboundHandlerAdapter implements ServerLifecycle.OpenConnection {
    /** As TLS names HTTP/2. */
    static final String PROTOCOL = "h2";

    private static final long LEAVING = 0x6b76726f75746572L; // of the ping that goes with the first GOAWAY
    private static final int LONGEST_ROUND_TRIP_SECONDS = 1;

    private final Front front;
    private final Http2FrameCodec codec;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ScheduledFuture<?> idle;
    private boolean tooMany;
    private boolean wasIdle;
    private boolean leaving;
    private boolean left;

    ClientConnection(Front front, Http2FrameCodec codec) {
        this.front = front;
        this.codec = codec;
    }

    private Serving serving() {
        return front.serving();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        front.open().opened(this);
        int most = serving().settings().maxConnections();
        int open = serving().lifecycle().opened(this);
        tooMany = open > most;
        if (open > most + Serving.REFUSED_AT_ONCE) {
            cut();
        }
        long keepAlive = serving().settings().keepAlive().toMillis();
        idle = ctx.executor().scheduleAtFixedRate(this::checkIdle, keepAlive, keepAlive, TimeUnit.MILLISECONDS);
        openWindow(ctx);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (idle != null) {
            idle.cancel(false);
            idle = null;
            front.open().closed(this);
            serving().lifecycle().closed(this);
        }
    }

    /** Whether there is no room for its requests. */
    boolean tooMany() {
        return tooMany;
    }

    /** A request has come in. */
    void used() {
        wasIdle = false;
        if (tooMany) {
            leave();
        }
    }

    private void checkIdle() {
        boolean isIdle = codec.connection().numActiveStreams() == 0;
        if (wasIdle && isIdle) {
            leave();
        }
        wasIdle = isIdle;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !spokenAs(ctx, handshake)) {
            cut();
        }
    }

    /**
     * The window of the connection holds those of all its streams: else those whose bodies wait to be let in would hold up
     * the ones that run, whose end they wait for.
     */
    private void openWindow(ChannelHandlerContext ctx) {
        int all = serving().settings().http2().maxStreams() * ConnectionSetup.WINDOW;
        ctx.writeAndFlush(new DefaultHttp2WindowUpdateFrame(all - Http2CodecUtil.DEFAULT_WINDOW_SIZE));
    }

    private static boolean spokenAs(ChannelHandlerContext ctx, SslHandshakeCompletionEvent handshake) {
        return handshake.isSuccess()
                && PROTOCOL.equals(ctx.pipeline().get(SslHandler.class).engine().getApplicationProtocol());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Http2PingFrame ping && ping.ack() && ping.content() == LEAVING) {
            finish();
        }
        ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        cut(); // whatever the peer did wrong in HTTP/2 the codec has answered
    }

    @Override
    public void drain() {
        ChannelHandlerContext ctx = context;
        if (ctx != null) {
            ctx.executor().execute(this::leave);
        }
    }

    /**
     * First says that no further requests should come, then, when what was under way by then has come in, which was the
     * last: requests that cross with the first are served all the same.
     */
    private void leave() {
        ChannelHandlerContext ctx = context;
        if (leaving || ctx == null || !ctx.channel().isActive()) {
            return;
        }
        leaving = true;
        ctx.write(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(Integer.MAX_VALUE));
        ctx.writeAndFlush(new DefaultHttp2PingFrame(LEAVING));
        ctx.executor().schedule(this::finish, LONGEST_ROUND_TRIP_SECONDS, TimeUnit.SECONDS);
    }

    /** Closes with the last of the streams that there are now. */
    private void finish() {
        ChannelHandlerContext ctx = context;
        if (!left && leaving && ctx != null && ctx.channel().isActive()) {
            left = true;
            ctx.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
            ctx.close();
        }
    }

    /** Closes now; from any thread. */
    void cut() {
        ChannelHandlerContext ctx = context;
        if (ctx != null) {
            ctx.executor().execute(() -> {
                ChannelHandlerContext behind = ctx.pipeline().context(codec);
                if (behind != null) {
                    behind.close(); // not through the codec, which would wait for its streams
                }
            });
        }
    }
}
