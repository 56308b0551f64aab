package io.kvrouter.bench.proxy.peer;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The least that a reverse proxy on Netty must do, as the measure of what a router adds to it: HTTP read and written on
 * both sides, connections to the worker kept, parts passed on as they come, back-pressure both ways, a client that leaves
 * ends its request. It knows one worker, chooses, counts and repeats nothing, and reads no body. One request at a time on a
 * connection.
 */
public final class PlainRelay implements AutoCloseable {
    private static final int BACKLOG = 8_192;

    private final MultiThreadIoEventLoopGroup group;
    private final URI worker;
    private final Map<EventLoop, Deque<RelayBack>> idle = new ConcurrentHashMap<>();
    private final Channel listening;

    private PlainRelay(URI worker, int loops) {
        this.worker = worker;
        this.group = Sockets.loops("plain-relay", loops);
        this.listening = new ServerBootstrap()
                .group(group)
                .channel(Sockets.server())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new HttpRequestDecoder(),
                                        new HttpResponseEncoder(),
                                        new RelayFront(PlainRelay.this, channel));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    /** Starts one before a worker, on a free port of the loopback address. */
    public static PlainRelay start(URI worker, int loops) {
        return new PlainRelay(worker, loops);
    }

    /** Its base URL. */
    public URI url() {
        return Sockets.url((InetSocketAddress) listening.localAddress());
    }

    String host() {
        return worker.getAuthority();
    }

    /** A connection that waits on this loop, if there is one. */
    @Nullable
    RelayBack take(EventLoop loop) {
        return idle(loop).pollLast();
    }

    void give(EventLoop loop, RelayBack back) {
        idle(loop).add(back);
    }

    void gone(EventLoop loop, RelayBack back) {
        var unused = idle(loop).remove(back);
    }

    private Deque<RelayBack> idle(EventLoop loop) {
        return idle.computeIfAbsent(loop, any -> new ArrayDeque<>());
    }

    ChannelFuture connect(EventLoop loop, RelayBack back) {
        return new Bootstrap()
                .group(loop)
                .channel(Sockets.client())
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpResponseDecoder(), new HttpRequestEncoder(), back);
                    }
                })
                .connect(worker.getHost(), worker.getPort());
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
