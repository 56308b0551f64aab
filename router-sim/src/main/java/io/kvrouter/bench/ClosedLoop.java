package io.kvrouter.bench;

import io.kvrouter.bench.client.ClientThread;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Clients that each keep one connection and send their next request when the last one is answered, so that always as
 * many are in flight as there are clients. They share one thread, and send bytes that were made before.
 *
 * <p>A lost connection is not replaced: its request counts as failed, and the others do the rest.
 */
final class ClosedLoop implements AutoCloseable {
    private static final Duration LONGEST_ROUND = Duration.ofMinutes(10);

    private final EventLoop loop;
    private final List<Client> clients = new ArrayList<>();

    private ClosedLoop(EventLoop loop) {
        this.loop = loop;
    }

    /** Opens all connections. */
    static ClosedLoop connect(URI target, int concurrency, ClientThread thread) {
        var made = new ClosedLoop(thread.loop());
        for (int i = 0; i < concurrency; i++) {
            made.clients.add(made.open(target, thread));
        }
        return made;
    }

    private Client open(URI target, ClientThread thread) {
        var client = new Client();
        new Bootstrap()
                .group(loop)
                .channel(thread.socketType())
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpResponseDecoder(), client);
                    }
                })
                .connect(target.getHost(), target.getPort())
                .syncUninterruptibly();
        return client;
    }

    /** Sends all of these and returns when each is answered or has failed. */
    Round run(List<byte[]> requests) {
        return CompletableFuture.supplyAsync(() -> start(requests), loop)
                .thenCompose(Course::over)
                .orTimeout(LONGEST_ROUND.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    private Course start(List<byte[]> requests) {
        var course = new Course(requests);
        clients.forEach(client -> client.begin(course));
        abandonIfAlone(course);
        return course;
    }

    private void abandonIfAlone(Course course) {
        if (clients.stream().noneMatch(Client::alive)) {
            course.abandon();
        }
    }

    @Override
    public void close() {
        clients.forEach(Client::close);
    }

    /** One connection, with at most one request on it. */
    private final class Client extends SimpleChannelInboundHandler<HttpObject> {
        private @Nullable Channel channel;
        private @Nullable Course course;
        private boolean busy;
        private long sentNanos;
        private int status;
        private @Nullable String decision;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
        }

        boolean alive() {
            return channel != null && channel.isActive();
        }

        void close() {
            if (channel != null) {
                channel.close().syncUninterruptibly();
            }
        }

        void begin(Course next) {
            course = next;
            sendNext(next);
        }

        private void sendNext(Course from) {
            Channel to = channel;
            byte[] request = to == null || !to.isActive() ? null : from.next();
            busy = request != null;
            if (to != null && request != null) {
                sentNanos = System.nanoTime();
                var unused = to.writeAndFlush(Unpooled.wrappedBuffer(request), to.voidPromise());
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
                decision = head.headers().get("x-router-decision");
            }
            if (part instanceof LastHttpContent && busy && course != null) {
                course.answered(status, decision, System.nanoTime() - sentNanos);
                sendNext(course);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (course == null) {
                return;
            }
            if (busy) {
                busy = false;
                course.failed();
            }
            abandonIfAlone(course);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var unused = context.close();
        }
    }
}
