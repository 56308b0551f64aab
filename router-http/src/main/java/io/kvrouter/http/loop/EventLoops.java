package io.kvrouter.http.loop;

import com.typesafe.config.Config;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.event.EventStream;
import org.jspecify.annotations.Nullable;

/**
 * The event loops of one actor system: upstream sockets, the HTTP server's streams and Pekko's TCP workers share them,
 * so that a chunk is read, carried and written by one thread. Handing it from thread to thread costs more than all
 * the rest of a proxy's work.
 *
 * <p>A dispatcher is made from configuration and never sees its actor system, so both sides find the loops by the
 * system's event stream. They live as long as somebody leases them: Pekko stops an idle dispatcher's executor and asks
 * for a new one later.
 */
public final class EventLoops {
    /** The dispatcher's block in reference.conf. */
    public static final String DISPATCHER = "kvrouter-loops";

    private static final ConcurrentMap<EventStream, EventLoops> LIVE = new ConcurrentHashMap<>();
    private static final ThreadLocal<@Nullable EventLoop> HERE = new ThreadLocal<>();

    private final EventStream owner;
    private final MultiThreadIoEventLoopGroup group;
    private final List<EventLoop> loops;
    private final AtomicInteger turn = new AtomicInteger();
    private int leases; // guarded by LIVE's compute

    private EventLoops(EventStream owner, int count) {
        this.owner = owner;
        IoHandlerFactory io = Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        this.group = new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory(DISPATCHER, true), io);
        this.loops = new ArrayList<>(count);
        for (EventExecutor executor : group) {
            EventLoop loop = (EventLoop) executor;
            loop.execute(() -> HERE.set(loop));
            loops.add(loop);
        }
    }

    /** The loops of a system, made at the first call and held until the system has terminated. */
    public static EventLoops of(ClassicActorSystemProvider system) {
        Config config = system.classicSystem().settings().config().getConfig(DISPATCHER);
        EventLoops loops = lease(system.classicSystem().eventStream(), countIn(config));
        system.classicSystem().registerOnTermination(loops::release);
        return loops;
    }

    /** Event loops as configured: 0 means one per core. */
    static int countIn(Config dispatcher) {
        int count = dispatcher.getInt("loops");
        return count > 0 ? count : Runtime.getRuntime().availableProcessors();
    }

    static EventLoops lease(EventStream owner, int count) {
        return LIVE.compute(owner, (key, live) -> {
            EventLoops loops = live == null ? new EventLoops(owner, count) : live;
            loops.leases++;
            return loops;
        });
    }

    void release() {
        LIVE.compute(owner, (key, live) -> {
            leases--;
            if (leases > 0) {
                return live;
            }
            var unused = group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
            return null;
        });
    }

    /** All loops, in a fixed order. */
    public List<EventLoop> all() {
        return List.copyOf(loops);
    }

    /** The calling thread's own loop, else the loops in turn: work stays where it was caused. */
    public EventLoop here() {
        EventLoop here = mine();
        return here != null ? here : loops.get(Math.floorMod(turn.getAndIncrement(), loops.size()));
    }

    /** Runs a task after the current one on the calling loop, else always on the same one for the same task. */
    void execute(Runnable task) {
        EventLoop here = mine();
        if (here == null) {
            int hash = task.hashCode();
            here = loops.get(Math.floorMod(hash ^ (hash >>> 16), loops.size()));
        }
        here.execute(task);
    }

    private @Nullable EventLoop mine() {
        EventLoop here = HERE.get();
        return here != null && group.equals(here.parent()) ? here : null;
    }

    /** A server whose connections are shared out over these loops. */
    public ServerBootstrap server() {
        return new ServerBootstrap()
                .group(group)
                .channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class);
    }

    /** The kind of socket that these loops drive. */
    public Class<? extends Channel> socketType() {
        return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    }
}
