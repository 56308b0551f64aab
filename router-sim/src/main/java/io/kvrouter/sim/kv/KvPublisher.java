package io.kvrouter.sim.kv;

import io.kvrouter.sim.engine.KvEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One rank's stream of KV events, to be used from any thread. */
public final class KvPublisher implements AutoCloseable {
    private final EventWire wire;
    private final RankSockets sockets;

    KvPublisher(EventWire wire, RankSockets sockets) {
        this.wire = wire;
        this.sockets = sockets;
    }

    /** What a subscriber connects to. */
    public String eventEndpoint() {
        return sockets.eventEndpoint();
    }

    /** Where missed batches can be asked for. */
    public String replayEndpoint() {
        return sockets.replayEndpoint();
    }

    /**
     * Sends a step's events as a batch.
     *
     * @param atS seconds since 1970
     */
    public void publish(double atS, List<KvEvent> events) {
        wire.execute(() -> sockets.stream().publish(events, atS));
    }

    /** The number of the last batch that was published before this call; -1 = none. */
    public CompletableFuture<Long> lastSequence() {
        return CompletableFuture.supplyAsync(() -> sockets.stream().lastSequence(), wire::execute);
    }

    /** As of a new process: the sequence begins at 0, nothing is left to replay, no fault is left. */
    public void restart() {
        wire.execute(() -> sockets.stream().restart());
    }

    /** Lets something go wrong; done when the future is. */
    public CompletableFuture<Void> order(List<StreamFault> faults) {
        return wire.submit(() -> faults.forEach(sockets.stream()::order));
    }

    /** Both ports are closed when this returns. */
    @Override
    public void close() {
        wire.close(sockets);
    }
}
