package io.kvrouter.sim.server;

import io.kvrouter.sim.kv.EventWire;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Workers of one process: they share a few event loops, and find each other by port so that one can be told to listen
 * again through another. Each worker lives on one loop, so nothing of it is shared between threads.
 */
final class Neighbourhood implements AutoCloseable {
    private final EventLoopGroup loops;
    private final Map<Integer, SimulatedWorker> byPort = new ConcurrentHashMap<>();
    private final AtomicLong engines = new AtomicLong();
    private @Nullable EventWire wire;

    Neighbourhood(int threads) {
        IoHandlerFactory io = Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        loops = new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory("sim", true), io);
    }

    EventLoop nextLoop() {
        return loops.next();
    }

    /** Another one for each engine, so that no two of a process publish the same names. */
    long nextSeed() {
        return ProcessHandle.current().pid() << 32 | engines.incrementAndGet();
    }

    /** Carries the KV events of all workers; there is one once it was asked for. */
    synchronized EventWire wire() {
        EventWire carrying = wire;
        if (carrying == null) {
            carrying = new EventWire();
            wire = carrying;
        }
        return carrying;
    }

    static Class<? extends ServerChannel> listenerType() {
        return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    void add(SimulatedWorker worker) {
        byPort.put(worker.port(), worker);
    }

    void remove(SimulatedWorker worker) {
        byPort.remove(worker.port(), worker);
    }

    Optional<SimulatedWorker> at(int port) {
        return Optional.ofNullable(byPort.get(port));
    }

    @Override
    public synchronized void close() {
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
        if (wire != null) {
            wire.close();
            wire = null;
        }
    }
}
