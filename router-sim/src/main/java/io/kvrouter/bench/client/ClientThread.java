package io.kvrouter.bench.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The one thread of the load generator: the same for every path, so that its own cost is the same. */
public final class ClientThread implements AutoCloseable {
    private static final int CONNECT_MS = 5_000;

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1,
            new DefaultThreadFactory("bench-client", true),
            Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());

    /** The thread. */
    public EventLoop loop() {
        return group.next();
    }

    /** A connection to this host and port, which runs on the thread. */
    ChannelFuture connect(URI to, Consumer<ChannelPipeline> setUp) {
        return new Bootstrap()
                .group(loop())
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MS)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        setUp.accept(channel.pipeline());
                    }
                })
                .connect(to.getHost(), to.getPort());
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
