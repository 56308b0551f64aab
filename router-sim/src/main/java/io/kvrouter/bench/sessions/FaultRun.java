package io.kvrouter.bench.sessions;

import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.sessions.FaultResult.Silence;
import io.kvrouter.bench.sessions.load.TurnClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One fault: strikes a node, and watches the cluster until it is whole again. */
final class FaultRun {
    private static final double NANOS = 1e9;
    private static final long BETWEEN_LOOKS_MS = 250;
    private static final String SILENT = "kvrouter_session_silent_shards";
    private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

    private final LocalCluster cluster;
    private final TurnClient client;
    private final Fault fault;
    private final LocalNode node;
    private final long beganNanos = System.nanoTime();
    private final CompletableFuture<Void> effected;
    private Silence silence = Silence.NONE;

    private FaultRun(LocalCluster cluster, TurnClient client, Fault fault, Duration pause) throws IOException {
        this.cluster = cluster;
        this.client = client;
        this.fault = fault;
        // The last that lives is struck: the first has a part of its own when nodes join.
        this.node = fault == Fault.JOIN ? cluster.join() : cluster.alive().getLast();
        this.effected = effect(pause);
    }

    /** Does it. */
    static FaultRun strike(LocalCluster cluster, TurnClient client, Fault fault, Duration pause) throws IOException {
        return new FaultRun(cluster, client, fault, pause);
    }

    private CompletableFuture<Void> effect(Duration pause) throws IOException {
        return switch (fault) {
            case KILL -> {
                client.strike(node.api(), true);
                node.kill();
                yield ended();
            }
            case LEAVE -> {
                node.terminate();
                yield ended();
            }
            case PAUSE -> {
                client.strike(node.api(), true);
                yield node.pause(pause).thenAccept(done -> client.strike(node.api(), false));
            }
            case JOIN -> node.ready().thenAccept(api -> {});
            case NONE -> NOW;
        };
    }

    private CompletableFuture<Void> ended() {
        return ProcessHandle.of(node.pid())
                .map(process -> process.onExit().thenAccept(exited -> {}))
                .orElse(NOW);
    }

    String node() {
        return fault == Fault.NONE ? "" : node.name();
    }

    Silence silence() {
        return silence;
    }

    /** Waits until the cluster is whole again; after how many seconds, or NaN if it is not in that time. */
    double awaitWhole(Duration patience) throws InterruptedException {
        while (seconds() < patience.toMillis() / 1e3) {
            look();
            if (effected.isDone() && cluster.whole()) {
                return seconds();
            }
        }
        return Double.NaN;
    }

    /** Watches for so long. */
    void watch(Duration time) throws InterruptedException {
        double until = seconds() + time.toMillis() / 1e3;
        while (seconds() < until) {
            look();
        }
    }

    private void look() throws InterruptedException {
        for (LocalNode living : cluster.alive()) {
            if (living != node || effected.isDone()) {
                silence = silence.seen(seconds(), (int) living.scrape().value(SILENT));
            }
        }
        TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MS);
    }

    private double seconds() {
        return (System.nanoTime() - beganNanos) / NANOS;
    }
}
