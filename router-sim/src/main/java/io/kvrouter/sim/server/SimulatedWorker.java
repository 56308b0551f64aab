package io.kvrouter.sim.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.sim.api.FaultOrder;
import io.kvrouter.sim.api.Json;
import io.kvrouter.sim.engine.EngineStats;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A worker as a router sees it: a simulated engine behind vLLM's HTTP API on a port of its own. May be used from any
 * thread; what the methods order is done when they return.
 */
public final class SimulatedWorker implements AutoCloseable {
    private static final int MAX_BODY_BYTES = 64 << 20;
    private static final int MAX_HEADER_BYTES = 64 << 10;
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final Neighbourhood neighbourhood;
    private final boolean alone;
    private final WorkerCore core;
    private final EventLoop loop;
    private final ListeningPort listening;
    private final AtomicBoolean closed = new AtomicBoolean();

    private SimulatedWorker(SimSettings settings, int port, Neighbourhood neighbourhood, boolean alone) {
        this.neighbourhood = neighbourhood;
        this.alone = alone;
        this.loop = neighbourhood.nextLoop();
        this.core = new WorkerCore(settings, loop, InstantSource.system(), neighbourhood);
        this.listening = new ListeningPort(bootstrap(), settings.host(), port);
    }

    /** A worker on a free port. */
    public static SimulatedWorker start(SimSettings settings) {
        return start(settings, 0);
    }

    /**
     * A worker on this port; 0 for a free one.
     *
     * @throws UncheckedIOException naming the port, if it is in use
     */
    public static SimulatedWorker start(SimSettings settings, int port) {
        var neighbourhood = new Neighbourhood(1);
        try {
            return open(new SimulatedWorker(settings, port, neighbourhood, true));
        } catch (UncheckedIOException e) {
            neighbourhood.close();
            throw e;
        }
    }

    static SimulatedWorker start(SimSettings settings, int port, Neighbourhood neighbourhood) {
        return open(new SimulatedWorker(settings, port, neighbourhood, false));
    }

    public int port() {
        return listening.port();
    }

    /** What to register with a router. */
    public URI url() {
        return URI.create("http://" + core.settings().host() + ":" + port());
    }

    /** The body that registers it with a router: its URL and where it publishes KV events, if it does. */
    public ObjectNode registration() {
        ObjectNode json = Json.object().put("url", url().toString());
        core.ranks().endpoints().ifPresent(endpoints -> json.set("kv_events", endpoints));
        return core.ranks().count() == 1 ? json : json.put("ranks", core.ranks().count());
    }

    /** Connects are refused from now on; idle connections are closed, requests under way run on. */
    public void refuse() {
        onLoop(() -> {
            shut();
            return null;
        });
    }

    /** Listens again, on the same port. */
    public void accept() {
        await(composeOnLoop(this::listen));
    }

    /** As a new process in its place: cache and connections are gone, {@code process_start_time_seconds} is another. */
    public void restart() {
        onLoop(() -> {
            core.restart(List.of());
            return null;
        });
    }

    /** Divides the prefill speed. */
    public void slowDown(double factor) {
        onLoop(() -> {
            core.ranks().slowDown(factor);
            return null;
        });
    }

    /** What {@code /health} answers from now on. */
    public void healthStatus(int status) {
        onLoop(() -> {
            core.healthStatus(status);
            return null;
        });
    }

    /** There is no {@code /tokenize} from now on, as with engines that have none. */
    public void withoutTokenize() {
        onLoop(() -> {
            core.withoutTokenize();
            return null;
        });
    }

    /** Completions answer with this error for so long; 200 ends it. */
    public void answerWith(int status, Duration time) {
        onLoop(() -> {
            core.answerWith(status, time.toMillis());
            return null;
        });
    }

    /** The last completion requests, oldest first, as {@code GET /sim/requests} tells them. */
    public List<JsonNode> requests() {
        return onLoop(core.log()::all);
    }

    public void clearRequests() {
        onLoop(() -> {
            core.log().clear();
            return null;
        });
    }

    public int openConnections() {
        return onLoop(core.connections()::size);
    }

    public EngineStats stats() {
        return onLoop(core.ranks()::stats);
    }

    /** Of one of its data-parallel ranks. */
    public EngineStats stats(int rank) {
        return onLoop(() -> core.ranks().stats(rank));
    }

    /** Number of the last batch of KV events that a rank published since it started; -1 = none. */
    public long lastSequence(int rank) {
        return onLoop(() -> core.ranks().lastSequence(rank)).join();
    }

    /** Gone at once: the port refuses, all connections are reset. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        neighbourhood.remove(this);
        onLoop(() -> {
            listening.close();
            core.resetConnections(List.of());
            return null;
        });
        core.ranks().close();
        if (alone) {
            neighbourhood.close();
        }
    }

    /** This worker or another one of the process. */
    Optional<SimulatedWorker> neighbour(int port) {
        return neighbourhood.at(port);
    }

    /** Does what is ordered; a restart spares the connection that asks for it. */
    CompletableFuture<Void> order(FaultOrder order, Connection asking) {
        return composeOnLoop(() -> apply(order, asking));
    }

    private CompletableFuture<Void> apply(FaultOrder order, Connection asking) {
        if (order.restart()) {
            core.restart(List.of(asking));
        }
        order.slow().ifPresent(core.ranks()::slowDown);
        order.healthStatus().ifPresent(core::healthStatus);
        order.answer()
                .ifPresent(answer -> answer.forMs()
                        .ifPresentOrElse(
                                ms -> core.answerWith(answer.status(), ms), () -> core.answerWith(answer.status())));
        CompletableFuture<Void> streams =
                order.events().map(core.ranks()::order).orElse(DONE);
        if (order.refuse().isEmpty()) {
            return streams;
        }
        if (!order.refuse().get()) {
            return CompletableFuture.allOf(streams, listen());
        }
        shut();
        return streams;
    }

    private CompletableFuture<Void> listen() {
        core.refusing(false);
        return listening.open();
    }

    private void shut() {
        listening.shut();
        core.refusing(true);
    }

    private ServerBootstrap bootstrap() {
        var routes = new Routes(this, core);
        var decoding = new HttpDecoderConfig().setMaxHeaderSize(MAX_HEADER_BYTES);
        return new ServerBootstrap()
                .group(loop, loop)
                .channel(Neighbourhood.listenerType())
                .option(ChannelOption.SO_BACKLOG, 4_096)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new HttpServerCodec(decoding))
                                .addLast(new HttpServerKeepAliveHandler())
                                .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
                                .addLast(new Connection(core, routes));
                    }
                });
    }

    private static SimulatedWorker open(SimulatedWorker worker) {
        worker.accept();
        worker.neighbourhood.add(worker);
        return worker;
    }

    private <T> T onLoop(Supplier<T> action) {
        return await(CompletableFuture.supplyAsync(action, loop));
    }

    private CompletableFuture<Void> composeOnLoop(Supplier<CompletableFuture<Void>> action) {
        return CompletableFuture.runAsync(() -> {}, loop).thenComposeAsync(onLoop -> action.get(), loop);
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException io) {
                throw new UncheckedIOException(io.getMessage(), io);
            }
            throw e;
        }
    }
}
