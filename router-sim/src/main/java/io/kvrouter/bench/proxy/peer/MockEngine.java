package io.kvrouter.bench.proxy.peer;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * An engine that computes nothing, so that what carries its answers is what is measured: as cheap as one event loop can
 * make it. A request's headers say how it is answered: {@link #EVENTS} makes it a stream of so many, and {@link #PACE} how
 * fast they come.
 */
public final class MockEngine implements AutoCloseable {
    /** Its model. */
    public static final String MODEL = "mock-model";

    /** Header: events of the answer, which is a stream then. */
    public static final String EVENTS = "x-mock-events";

    /** Header: microseconds from an event to the next, or {@link #BEAT}; without it they come as fast as they are taken. */
    public static final String PACE = "x-mock-pace";

    /** A pace: an event for each {@link #beat}. */
    public static final String BEAT = "beat";

    /** Where {@link Counts} are told as JSON. */
    public static final String COUNTS = "/counts";

    private static final int BACKLOG = 8_192;

    private final MultiThreadIoEventLoopGroup group = Sockets.loops("mock-engine", 1);
    private final EventLoop loop = group.next();
    private final EventStreams streams = new EventStreams(loop);
    private final EngineTally tally = new EngineTally();
    private final Channel listening;

    private MockEngine() {
        listening = new ServerBootstrap()
                .group(loop)
                .channel(Sockets.server())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpRequestDecoder(), new EngineConnection(MockEngine.this));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    /** Starts one on a free port of the loopback address. */
    public static MockEngine start() {
        return new MockEngine();
    }

    /** Its base URL. */
    public URI url() {
        return Sockets.url((InetSocketAddress) listening.localAddress());
    }

    /** What it has seen so far. */
    public Counts counts() {
        return CompletableFuture.supplyAsync(() -> tally.counts(streams), loop).join();
    }

    /** Sends an event of each stream that goes by the beat; says of how many. */
    public int beat() {
        return CompletableFuture.supplyAsync(streams::beat, loop).join();
    }

    EventStreams streams() {
        return streams;
    }

    EngineTally tally() {
        return tally;
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
