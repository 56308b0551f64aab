package io.kvrouter.http.testing;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** A client's connection that speaks HTTP/2 by prior knowledge, as precisely as a test needs it. */
@SuppressWarnings("FutureReturnValueIgnored") // what can't be written shows in what comes
public final class Http2Peer implements AutoCloseable {
    private static final MultiThreadIoEventLoopGroup LOOP =
            new MultiThreadIoEventLoopGroup(1, daemon(), NioIoHandler.newFactory());

    /** More than a stream that is not read takes. */
    private static final int CONNECTION_WINDOW = 1024 * 1024;

    private final Channel channel;
    private final List<Integer> goAways = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Http2Settings> settings = new CompletableFuture<>();

    private Http2Peer(int port) throws Exception {
        Http2FrameCodec codec = Http2FrameCodecBuilder.forClient()
                .initialSettings(Http2Settings.defaultSettings().initialWindowSize(64 * 1024))
                .validateHeaders(false)
                .encoderIgnoreMaxHeaderListSize(true)
                .build();
        channel = new Bootstrap()
                .group(LOOP)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel made) {
                        made.pipeline().addLast(codec, new Http2MultiplexHandler(new Ignored()), new News());
                    }
                })
                .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .sync()
                .channel();
    }

    private static ThreadFactory daemon() {
        return new DefaultThreadFactory("http2-peer", true);
    }

    /** One whose server has said what it takes. */
    public static Http2Peer connect(int port) throws Exception {
        Http2Peer peer = new Http2Peer(port);
        peer.settings.get(20, TimeUnit.SECONDS);
        peer.channel.writeAndFlush(new DefaultHttp2WindowUpdateFrame(CONNECTION_WINDOW));
        return peer;
    }

    /** The head of a request. */
    public static Http2Headers head(String method, String path, String... fields) {
        Http2Headers head = new DefaultHttp2Headers(false)
                .method(method)
                .scheme("http")
                .path(path)
                .authority("router");
        for (int i = 0; i < fields.length; i += 2) {
            head.add(fields[i], fields[i + 1]);
        }
        return head;
    }

    /** A stream without a request yet. */
    public Http2Call open() throws Exception {
        Http2Call call = new Http2Call();
        call.begin(new Http2StreamChannelBootstrap(channel)
                .option(ChannelOption.AUTO_READ, true)
                .handler(call)
                .open()
                .get(20, TimeUnit.SECONDS));
        return call;
    }

    public Http2Call get(String path, String... fields) throws Exception {
        return open().head(head("GET", path, fields), true);
    }

    public Http2Call post(String path, String body, String... fields) throws Exception {
        return open().head(head("POST", path, fields), false).send(body, true);
    }

    /** The last streams of the server's GOAWAYs. */
    public List<Integer> goAways() {
        return goAways;
    }

    public boolean closed() {
        return !channel.isOpen();
    }

    /** As a process that is killed. */
    public void reset() {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        close();
    }

    /** At once, whatever runs. */
    @Override
    public void close() {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        if (first != null) {
            first.close().awaitUninterruptibly(20_000);
        }
    }

    private final class News extends SimpleChannelInboundHandler<Object> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, Object frame) {
            if (frame instanceof Http2GoAwayFrame goAway) {
                goAways.add(goAway.lastStreamId());
            } else if (frame instanceof Http2SettingsFrame told) {
                settings.complete(told.settings());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }

    private static final class Ignored extends ChannelInboundHandlerAdapter {
        @Override
        public boolean isSharable() {
            return true;
        }
    }
}
