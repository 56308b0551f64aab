package io.kvrouter.http.upstream.netty;

import io.kvrouter.http.upstream.UpstreamSettings;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one event loop that wait for their next request, the youngest first. They are read while they wait,
 * so that a worker's closing is seen. Used on that loop only: no locks, and a call never changes threads.
 */
final class ConnectionPool {
    private final EventLoop loop;
    private final UpstreamSettings settings;
    private final Map<Target, Deque<WorkerConnection>> idle = new HashMap<>();
    private boolean sweeping;
    private boolean closed;

    ConnectionPool(EventLoop loop, UpstreamSettings settings) {
        this.loop = loop;
        this.settings = settings;
    }

    @Nullable
    WorkerConnection take(Target target) {
        Deque<WorkerConnection> waiting = idle.get(target);
        while (waiting != null && !waiting.isEmpty()) {
            WorkerConnection connection = waiting.pop();
            if (!isStale(connection) && connection.alive()) {
                return connection;
            }
            connection.close();
        }
        return null;
    }

    void give(WorkerConnection connection) {
        Deque<WorkerConnection> waiting = idle.computeIfAbsent(connection.target(), target -> new ArrayDeque<>());
        if (closed || waiting.size() >= settings.maxIdle()) {
            connection.close();
            return;
        }
        connection.resume();
        waiting.push(connection);
        sweepLater();
    }

    void close() {
        closed = true;
        idle.values().forEach(waiting -> waiting.forEach(WorkerConnection::close));
        idle.clear();
    }

    private boolean isStale(WorkerConnection connection) {
        return System.nanoTime() - connection.idleSince() > settings.keepAlive().toNanos();
    }

    private void sweepLater() {
        if (!sweeping) {
            sweeping = true;
            var unused = loop.schedule(this::sweep, settings.keepAlive().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void sweep() {
        sweeping = false;
        for (Iterator<Deque<WorkerConnection>> workers = idle.values().iterator(); workers.hasNext(); ) {
            Deque<WorkerConnection> waiting = workers.next();
            while (!waiting.isEmpty() && isStale(waiting.peekLast())) {
                waiting.pollLast().close();
            }
            if (waiting.isEmpty()) {
                workers.remove();
            }
        }
        if (!idle.isEmpty()) {
            sweepLater();
        }
    }
}
