package io.kvrouter.bench.soak.fault;

import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.soak.traffic.Tally;
import io.kvrouter.bench.soak.traffic.Targets;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Strikes one node after the other until it is told to stop: kills it, stops it for a moment or until the others take it
 * out, or lets it leave; and starts it again. The cluster is whole before the next is struck, and when it returns.
 */
public final class NodeFaults implements Callable<Void> {
    private static final int TICK_MS = 100;
    private static final int WHOLE_S = 150;
    private static final int LONGEST_BREATH_MS = 4_000;
    private static final Duration SLEEP = Duration.ofSeconds(25);
    private static final int PAIR = 2;

    private final LocalCluster cluster;
    private final Targets targets;
    private final Tally tally;
    private final RandomGenerator random;
    private final BooleanSupplier on;
    private final Duration between;

    private enum Fault {
        KILL,
        BREATHE,
        SLEEP,
        LEAVE
    }

    /** Faults of a cluster, which tell the targets which nodes take requests. */
    public NodeFaults(LocalCluster cluster, Targets targets, Tally tally, RandomGenerator random, Schedule schedule) {
        this.cluster = cluster;
        this.targets = targets;
        this.tally = tally;
        this.random = random;
        this.on = schedule.on;
        this.between = schedule.between;
    }

    /** Until when, and how long it takes from one to the next on average. */
    public record Schedule(BooleanSupplier on, Duration between) {}

    @Override
    public Void call() throws IOException, InterruptedException {
        while (pause(between.toMillis() / 2 + random.nextLong(between.toMillis() + 1))) {
            strike(fault());
        }
        return null;
    }

    /** Whether it is still to go on after that time. */
    private boolean pause(long ms) throws InterruptedException {
        long until = System.nanoTime() + ms * 1_000_000;
        while (on.getAsBoolean() && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(TICK_MS);
        }
        return on.getAsBoolean();
    }

    /** One node alone is never taken away. */
    private Fault fault() {
        double draw = random.nextDouble();
        if (cluster.nodes().size() < PAIR || draw < 0.4) {
            return Fault.BREATHE;
        }
        if (draw < 0.75) {
            return Fault.KILL;
        }
        return draw < 0.9 ? Fault.LEAVE : Fault.SLEEP;
    }

    private void strike(Fault fault) throws IOException, InterruptedException {
        List<LocalNode> nodes = cluster.nodes();
        // Of two halves that with the first node lives on, so of two nodes the second is struck.
        LocalNode node = nodes.size() == PAIR ? nodes.getLast() : nodes.get(random.nextInt(nodes.size()));
        tally.count("node: " + fault.name().toLowerCase(Locale.ROOT));
        switch (fault) {
            case BREATHE -> await(node.pause(Duration.ofMillis(random.nextInt(LONGEST_BREATH_MS))));
            case SLEEP -> {
                await(node.pause(SLEEP));
                awaitEnd(node);
            }
            case KILL -> {
                node.kill();
                awaitEnd(node);
            }
            case LEAVE -> {
                node.terminate();
                awaitEnd(node);
            }
        }
        restore();
    }

    private static void await(CompletableFuture<Process> done) {
        Process unused = done.join();
    }

    private static void awaitEnd(LocalNode node) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WHOLE_S);
        while (node.alive() && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(TICK_MS);
        }
        node.kill();
    }

    /** Starts again what is gone, and waits until the cluster is whole. */
    private void restore() throws IOException, InterruptedException {
        if (cluster.alive().size() < cluster.nodes().size()) {
            targets.become(cluster.alive());
            LocalNode fresh = cluster.join();
            fresh.ready().orTimeout(WHOLE_S, TimeUnit.SECONDS).join();
            targets.become(cluster.alive());
        }
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WHOLE_S);
        while (!cluster.whole()) {
            if (System.nanoTime() > until) {
                throw new IOException("the cluster is not whole " + WHOLE_S + " s after a fault");
            }
            TimeUnit.MILLISECONDS.sleep(TICK_MS);
        }
    }
}
