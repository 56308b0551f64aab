package io.kvrouter.http.h2;

import io.kvrouter.http.loop.EventLoops;
import io.kvrouter.http.loop.LoopStreams;
import io.kvrouter.http.server.Listening;
import io.kvrouter.http.server.Serving;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.CoordinatedShutdown;

/**
 * A port that serves an API by HTTP/2: with ALPN where there is TLS, by prior knowledge otherwise. It shares readiness,
 * limits and the count of what is under way with the API's other port, and leaves with it: unbound when that is, told to
 * drain by the lifecycle of both, cut after the running requests were waited for.
 */
public final class Http2Server {
    private static final int BACKLOG = 4_096;

    private final Channel listening;
    private final OpenConnections open;

    private Http2Server(Channel listening, OpenConnections open) {
        this.listening = listening;
        this.open = open;
    }

    /** Binds a port, and serves there what another port serves. */
    public static CompletionStage<Http2Server> bind(
            ClassicActorSystemProvider provider, Listening at, Serving serving) {
        ActorSystem system = provider.classicSystem();
        OpenConnections open = new OpenConnections();
        CompletableFuture<Http2Server> bound = new CompletableFuture<>();
        ChannelFuture binding = EventLoops.of(system)
                .server()
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ConnectionSetup(new Front(serving, open, LoopStreams.of(system)), at.tls()))
                .bind(new InetSocketAddress(at.host(), at.port()));
        binding.addListener(done -> {
            if (done.isSuccess()) {
                bound.complete(new Http2Server(binding.channel(), open).leavingWith(system));
            } else {
                bound.completeExceptionally(done.cause());
            }
        });
        return bound;
    }

    private Http2Server leavingWith(ActorSystem system) {
        CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
        addTask(shutdown, CoordinatedShutdown.PhaseServiceUnbind(), this::unbind);
        addTask(shutdown, CoordinatedShutdown.PhaseServiceStop(), () -> {
            open.cut();
            return CompletableFuture.completedStage(Done.getInstance());
        });
        return this;
    }

    private static void addTask(CoordinatedShutdown shutdown, String phase, Supplier<CompletionStage<Done>> task) {
        shutdown.addTask(phase, "http2-server", task);
    }

    private CompletionStage<Done> unbind() {
        CompletableFuture<Done> closed = new CompletableFuture<>();
        listening.close().addListener(done -> closed.complete(Done.getInstance()));
        return closed;
    }

    /** The port that was bound. */
    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }
}
