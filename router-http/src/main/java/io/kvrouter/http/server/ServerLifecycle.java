package io.kvrouter.http.server;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.Done;

/**
 * What a node's server is doing: ready, on its way out, draining. It counts the exchanges in flight, and knows the
 * open connections so that draining reaches those that wait for a request.
 */
public final class ServerLifecycle {
    /** A client's connection that can be told to end. */
    public interface OpenConnection {
        /** Takes no further requests, and ends with those under way; called on any thread. */
        void drain();
    }

    private static final Duration SETTLE = Duration.ofMillis(300);

    private final Set<OpenConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger openConnections = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final CompletableFuture<Done> quiet = new CompletableFuture<>();
    private volatile boolean ready = true;
    private volatile boolean draining;

    ServerLifecycle() {}

    /** Whether a load balancer should send requests here; false from the first moment of a shutdown. */
    public boolean ready() {
        return ready;
    }

    /** Whether new connections are refused and open ones end with their current request. */
    public boolean draining() {
        return draining;
    }

    /** Requests whose response has not been handed over yet. */
    public int inFlight() {
        return inFlight.get();
    }

    void lowerReadiness() {
        ready = false;
    }

    void drain() {
        draining = true;
        connections.forEach(OpenConnection::drain);
        completeIfQuiet();
    }

    CompletionStage<Done> afterGrace(Duration grace) {
        return after(grace);
    }

    /**
     * Nothing in flight any more and the last bytes out, or the budget is spent. An exchange ends when its last byte is
     * handed to Pekko's connection, which still has to write it.
     */
    CompletionStage<Done> whenQuiet(Duration budget) {
        return quiet.thenCompose(done -> after(SETTLE))
                .completeOnTimeout(Done.getInstance(), budget.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static CompletableFuture<Done> after(Duration pause) {
        return new CompletableFuture<Done>()
                .completeOnTimeout(Done.getInstance(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Counts a connection, and says how many there are with it. */
    public int opened(OpenConnection connection) {
        connections.add(connection);
        int open = openConnections.incrementAndGet();
        if (draining) {
            connection.drain();
        }
        return open;
    }

    /** Counts it no more. */
    public void closed(OpenConnection connection) {
        connections.remove(connection);
        openConnections.decrementAndGet();
    }

    void began() {
        inFlight.incrementAndGet();
    }

    void ended() {
        inFlight.decrementAndGet();
        completeIfQuiet();
    }

    private void completeIfQuiet() {
        if (draining && inFlight.get() == 0) {
            quiet.complete(Done.getInstance());
        }
    }
}
