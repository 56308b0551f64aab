package io.kvrouter.http.upstream.netty;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks host names up, which blocks for as long as the system likes, and a virtual thread its carrier with it: so on a few
 * threads of its own. Each name is looked up once at a time, however many calls wait for it, so that a name server that is
 * silent on one leaves the other threads to others.
 */
final class HostNames {
    private static final int THREADS = 8;
    private static final long IDLE_SECONDS = 10;

    private final Lookup lookup;
    private final Executor threads;
    private final ConcurrentMap<String, CompletableFuture<InetAddress>> underWay = new ConcurrentHashMap<>();

    /** How a name is looked up. */
    @FunctionalInterface
    interface Lookup {
        InetAddress address(String host) throws UnknownHostException;
    }

    HostNames(Lookup lookup) {
        this.lookup = lookup;
        var pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), // of different names: no more than there are workers
                Thread.ofPlatform().daemon().name("kvrouter-resolve-", 0).factory());
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
    }

    /** The address of a host, when it is known. */
    CompletionStage<InetAddress> find(String host) {
        var found = new CompletableFuture<InetAddress>();
        var before = underWay.putIfAbsent(host, found);
        if (before != null) {
            return before;
        }
        threads.execute(() -> look(host, found));
        return found;
    }

    private void look(String host, CompletableFuture<InetAddress> found) {
        try {
            found.complete(lookup.address(host));
        } catch (UnknownHostException | RuntimeException e) {
            found.completeExceptionally(e);
        } finally {
            underWay.remove(host, found);
        }
    }
}
