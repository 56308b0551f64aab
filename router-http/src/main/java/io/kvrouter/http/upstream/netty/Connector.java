package io.kvrouter.http.upstream.netty;

import io.kvrouter.http.loop.EventLoops;
import io.kvrouter.http.upstream.UpstreamSettings;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Opens connections on a given event loop. The time for it is one for the look-up of the name and the connect. */
@SuppressWarnings("FutureReturnValueIgnored") // addListener returns the future it was called on
final class Connector {
    private static final int ASKED_AFTER_SECONDS = 10;
    private static final int ASKED_EVERY_SECONDS = 5;
    private static final int UNANSWERED = 3;

    private final EventLoops loops;
    private final UpstreamSettings settings;
    private final SSLContext tls;
    private final HostNames names;

    Connector(EventLoops loops, UpstreamSettings settings, SSLContext tls, HostNames names) {
        this.loops = loops;
        this.settings = settings;
        this.tls = tls;
        this.names = names;
    }

    /** A connection ready for its first request; completes on the loop. A cancelled one is closed. */
    Future<WorkerConnection> open(Target target, EventLoop loop) {
        Promise<WorkerConnection> opened = loop.newPromise();
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(target.host());
        if (literal != null) {
            connect(target, new Resolved(address(literal), settings.connectTimeout()), loop, opened);
        } else {
            resolve(target, loop, opened);
        }
        return opened;
    }

    /**
     * Where to connect to.
     *
     * @param left of the time for it
     */
    private record Resolved(InetAddress address, Duration left) {
        int leftMillis() {
            return (int) Math.max(1, left.toMillis());
        }
    }

    private void resolve(Target target, EventLoop loop, Promise<WorkerConnection> opened) {
        long began = System.nanoTime();
        Duration time = settings.connectTimeout();
        Future<?> timer = loop.schedule(
                () -> opened.tryFailure(new ConnectTimeoutException("no address of " + target.host() + " in time")),
                time.toNanos(),
                TimeUnit.NANOSECONDS);
        var unused = names.find(target.host())
                .whenCompleteAsync(
                        (address, failure) -> {
                            timer.cancel(false);
                            if (failure == null) {
                                var left = time.minusNanos(System.nanoTime() - began);
                                connect(target, new Resolved(address, left), loop, opened);
                            } else {
                                opened.tryFailure(failure);
                            }
                        },
                        loop);
    }

    private void connect(Target target, Resolved at, EventLoop loop, Promise<WorkerConnection> opened) {
        if (opened.isDone()) {
            return;
        }
        Setup setup = new Setup(target);
        Future<Void> connecting = sockets()
                .group(loop)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, at.leftMillis())
                .handler(setup)
                .connect(new InetSocketAddress(at.address(), target.port()));
        connecting.addListener(done -> setup.connected(done, opened));
        opened.addListener(done -> {
            if (done.isCancelled()) {
                connecting.cancel(false);
            }
        });
    }

    /**
     * A worker's host that vanishes says nothing, and a worker that generates may say nothing for as long as that takes: so
     * the host is asked. Two hours pass before that by default, and where the times can't be set.
     */
    private Bootstrap sockets() {
        Bootstrap sockets = new Bootstrap()
                .channel(loops.socketType())
                .disableResolver()
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true);
        return loops.socketType().equals(EpollSocketChannel.class)
                ? sockets.option(EpollChannelOption.TCP_KEEPIDLE, ASKED_AFTER_SECONDS)
                        .option(EpollChannelOption.TCP_KEEPINTVL, ASKED_EVERY_SECONDS)
                        .option(EpollChannelOption.TCP_KEEPCNT, UNANSWERED)
                : sockets;
    }

    private static InetAddress address(byte[] literal) {
        try {
            return InetAddress.getByAddress(literal);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("address of " + literal.length + " bytes", e);
        }
    }

    /** The pipeline of one connection. */
    private final class Setup extends ChannelInitializer<Channel> {
        private final Target target;
        private @Nullable WorkerConnection connection;
        private @Nullable SslHandler secured;

        Setup(Target target) {
            this.target = target;
        }

        @Override
        protected void initChannel(Channel channel) {
            if (target.tls()) {
                SslHandler handshake = new SslHandler(target.clientEngine(tls));
                handshake.setHandshakeTimeoutMillis(settings.connectTimeout().toMillis());
                channel.pipeline().addLast(handshake);
                secured = handshake;
            }
            StrictDecoder decoder = new StrictDecoder(settings.maxHeadBytes());
            WorkerConnection made = new WorkerConnection(target, channel, decoder);
            channel.pipeline().addLast(decoder, made);
            connection = made;
        }

        void connected(Future<? super Void> done, Promise<WorkerConnection> opened) {
            SslHandler handshake = secured;
            if (!done.isSuccess()) {
                opened.tryFailure(done.cause());
            } else if (handshake == null) {
                ready(opened);
            } else {
                handshake.handshakeFuture().addListener(shaken -> {
                    if (shaken.isSuccess()) {
                        ready(opened);
                    } else {
                        opened.tryFailure(shaken.cause());
                    }
                });
            }
        }

        private void ready(Promise<WorkerConnection> opened) {
            WorkerConnection made = connection;
            if (made == null) {
                opened.tryFailure(new IllegalStateException("connected before its pipeline was made"));
            } else if (!opened.trySuccess(made)) {
                made.close();
            }
        }
    }
}
