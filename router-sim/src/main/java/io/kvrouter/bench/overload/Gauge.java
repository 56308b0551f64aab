package io.kvrouter.bench.overload;

import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.sim.server.SimulatedFleet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Looks, while a load is on, at how many requests an engine has, and what the node's process takes. Its last look ends by itself. */
final class Gauge implements AutoCloseable {
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int LOOKS_A_SCRAPE = 100;
    private static final double MB = 1e6;

    private final SimulatedFleet fleet;
    private final LocalNode node;
    private final Thread thread;
    private volatile boolean over;
    private volatile int onWorker;
    private volatile double nodeMb;

    private Gauge(SimulatedFleet fleet, LocalNode node) {
        this.fleet = fleet;
        this.node = node;
        this.thread = Thread.ofPlatform().daemon().unstarted(this::look);
    }

    static Gauge start(SimulatedFleet fleet, LocalNode node) {
        var gauge = new Gauge(fleet, node);
        gauge.thread.start();
        return gauge;
    }

    private void look() {
        try {
            for (long looks = 0; !over; looks++) {
                int most = fleet.workers().stream()
                        .map(worker -> worker.stats())
                        .mapToInt(stats -> stats.running() + stats.waiting())
                        .max()
                        .orElse(0);
                onWorker = Math.max(onWorker, most);
                if (looks % LOOKS_A_SCRAPE == 0) {
                    nodeMb = Math.max(nodeMb, node.scrape().value("process_resident_memory_bytes") / MB);
                }
                LockSupport.parkNanos(BETWEEN_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    Row.Peak peak() {
        return new Row.Peak(onWorker, nodeMb);
    }

    @Override
    public void close() {
        over = true;
        LockSupport.unpark(thread);
    }
}
