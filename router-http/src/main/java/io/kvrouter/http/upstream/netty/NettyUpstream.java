package io.kvrouter.http.upstream.netty;

import io.kvrouter.http.loop.EventLoops;
import io.kvrouter.http.upstream.Call;
import io.kvrouter.http.upstream.Upstream;
import io.kvrouter.http.upstream.UpstreamRequest;
import io.kvrouter.http.upstream.UpstreamSettings;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/**
 * Forwarding over Netty. A call stays on one event loop: the caller's own, if it is one of the loops.
 *
 * <p>Nothing is repeated, with one exception that no worker can notice: a request that went out on a connection which
 * the worker was closing (see {@link NettyCall}).
 */
public final class NettyUpstream implements Upstream, AutoCloseable {
    private final EventLoops loops;
    private final UpstreamSettings settings;
    private final Connector connector;
    private final Map<EventLoop, ConnectionPool> pools = new HashMap<>();
    private final AtomicInteger open = new AtomicInteger();

    private NettyUpstream(UpstreamSettings settings, EventLoops loops, SSLContext tls) {
        this.loops = loops;
        this.settings = settings;
        this.connector = new Connector(loops, settings, tls, new HostNames(InetAddress::getByName));
        loops.all().forEach(loop -> pools.put(loop, new ConnectionPool(loop, settings)));
    }

    /**
     * An upstream without connections; they are made by the first calls.
     *
     * @param tls by which workers are spoken to where their URL says https
     */
    public static NettyUpstream create(UpstreamSettings settings, EventLoops loops, SSLContext tls) {
        return new NettyUpstream(settings, loops, tls);
    }

    @Override
    public Call call(UpstreamRequest request) {
        EventLoop loop = loops.here();
        open.incrementAndGet();
        NettyCall call = new NettyCall(request, loop, this);
        if (loop.inEventLoop()) {
            call.start();
        } else {
            loop.execute(call::start);
        }
        return call;
    }

    /** Calls whose answer has not ended yet. */
    public int openCalls() {
        return open.get();
    }

    UpstreamSettings settings() {
        return settings;
    }

    Connector connector() {
        return connector;
    }

    ConnectionPool pool(EventLoop loop) {
        ConnectionPool pool = pools.get(loop);
        if (pool == null) {
            throw new IllegalStateException("not a loop of this upstream");
        }
        return pool;
    }

    void ended() {
        open.decrementAndGet();
    }

    /** Closes the connections that wait, and later those that come back. Calls under way go on. */
    @Override
    public void close() {
        pools.forEach((loop, pool) -> {
            if (!loop.isShuttingDown()) { // else its sockets are closed already
                loop.execute(pool::close);
            }
        });
    }
}
