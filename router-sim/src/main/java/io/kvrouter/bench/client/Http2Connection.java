package io.kvrouter.bench.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.URI;
import java.nio.channels.ClosedChannelException;

/** A connection of HTTP/2. Calls beyond what its node takes at once wait in its codec. */
final class Http2Connection extends ChannelInboundHandlerAdapter {
    /** Bytes of an answer, and of all answers, that may come unasked, about as browsers have it. */
    private static final int STREAM_WINDOW = 4 << 20;

    private static final int WINDOW = 16 << 20;

    private final Promise<Channel> ready;

    Http2Connection(URI to, Wire wire, ClientThread thread) {
        ready = thread.loop().newPromise();
        var codec = Http2FrameCodecBuilder.forClient()
                .initialSettings(Http2Settings.defaultSettings().initialWindowSize(STREAM_WINDOW))
                .encoderEnforceMaxConcurrentStreams(true)
                .build();
        var unused = thread.connect(to, pipeline -> {
                    wire.begin(pipeline);
                    pipeline.addLast(codec, new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()), this);
                })
                .addListener((ChannelFuture connected) -> {
                    if (!connected.isSuccess()) {
                        ready.tryFailure(connected.cause());
                    }
                });
    }

    /** Done when its node has said what it takes. */
    Future<Channel> ready() {
        return ready;
    }

    boolean gone() {
        return ready.isDone() && !(ready.isSuccess() && ready.getNow().isActive());
    }

    void close() {
        if (ready.isSuccess()) {
            var unused = ready.getNow().close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        if (frame instanceof Http2SettingsFrame && !ready.isDone()) {
            var unused = context.writeAndFlush(new DefaultHttp2WindowUpdateFrame(WINDOW));
            ready.setSuccess(context.channel());
        }
        ReferenceCountUtil.release(frame);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ready.tryFailure(new ClosedChannelException());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        ready.tryFailure(cause);
        var unused = context.close();
    }
}
