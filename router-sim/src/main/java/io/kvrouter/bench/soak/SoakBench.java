package io.kvrouter.bench.soak;

import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.soak.SoakReport.Round;
import io.kvrouter.bench.soak.fault.NodeFaults;
import io.kvrouter.bench.soak.fault.WorkerFlaps;
import io.kvrouter.bench.soak.fault.WorkerFlaps.Flapping;
import io.kvrouter.bench.soak.leak.Footing;
import io.kvrouter.bench.soak.leak.Growth;
import io.kvrouter.bench.soak.leak.Leak;
import io.kvrouter.bench.soak.leak.QuietWatch;
import io.kvrouter.bench.soak.traffic.ReservationCaller;
import io.kvrouter.bench.soak.traffic.SoakClient;
import io.kvrouter.bench.soak.traffic.Tally;
import io.kvrouter.bench.soak.traffic.Targets;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedFleet;
import io.kvrouter.sim.server.SimulatedWorker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Runs the rounds of a soak. Nodes are processes of their own; clients and simulated workers are in this one. */
public final class SoakBench {
    /** Short leases and sessions, so that many end by themselves in each round, and a quiet moment is soon there. */
    private static final Map<String, String> SETTINGS = Map.of(
            "kvrouter.selection-api.lease", "3 s",
            "kvrouter.session-ttl", "4 s",
            "kvrouter.bindings.sweep-interval", "1 s",
            "kvrouter.bindings.skew", "2 s",
            "kvrouter.bindings.refresh-interval", "500 ms",
            "kvrouter.upstream.keep-alive", "3 s",
            "kvrouter.selection.count-output", "true",
            "kvrouter.shutdown.grace", "1 s",
            "pekko.remote.artery.bind.bind-timeout", "60 s", // a machine that does all this is busy
            "pekko.loglevel", "ERROR");

    private static final List<String> JVM = List.of("-Xmx300m", "-Dlogback.configurationFile=logback.xml");
    private static final long PROGRESS_S = 20;

    private final SoakPlan plan;
    private final LocalCluster cluster;
    private final Map<String, SimulatedWorker> workers;
    private final Consumer<String> progress;
    private final Tally tally = new Tally();
    private final Targets targets;
    private final SplittableRandom random;

    private SoakBench(SoakPlan plan, LocalCluster cluster, SimulatedFleet fleet, Consumer<String> progress) {
        this.plan = plan;
        this.cluster = cluster;
        this.progress = progress;
        this.targets = new Targets(cluster.nodes());
        this.random = new SplittableRandom(plan.seed());
        this.workers = new LinkedHashMap<>();
        fleet.workers().forEach(worker -> workers.put("w" + (1 + workers.size()), worker));
    }

    /**
     * Starts everything, runs the rounds, and ends everything.
     *
     * @param patience how long what is left of a round's traffic may last
     */
    public static SoakReport run(SoakPlan plan, Duration patience, Consumer<String> progress)
            throws IOException, InterruptedException {
        progress.accept("starting " + plan.nodes() + " nodes; seed " + plan.seed());
        try (var fleet = SimulatedFleet.start(plan.workers(), 0, SimSettings.DEFAULT);
                var cluster = LocalCluster.start(plan.nodes(), 0, new LocalCluster.Launch(JVM, SETTINGS, true))) {
            return new SoakBench(plan, cluster, fleet, progress).run(patience);
        }
    }

    private SoakReport run(Duration patience) throws IOException, InterruptedException {
        flaps(List.copyOf(workers.keySet()), () -> false).registerAll();
        for (LocalNode node : cluster.nodes()) {
            LocalCluster.awaitWorkers(node, workers.size());
        }
        List<Round> rounds = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            progress.accept("round %d of %d: traffic for %s".formatted(round, plan.rounds(), plan.ofRound()));
            traffic("r" + round);
            rounds.add(quiet(patience, rounds));
        }
        return new SoakReport(plan, tally.counts(), rounds);
    }

    private Round quiet(Duration patience, List<Round> before) throws IOException, InterruptedException {
        var quiet = new QuietWatch(cluster, workers).await(patience);
        progress.accept(
                "%s after %.1f s".formatted(quiet.leaks().isEmpty() ? "nothing left" : "LEAKS", quiet.seconds()));
        List<Footing> footings = new ArrayList<>();
        for (LocalNode node : cluster.alive()) {
            footings.add(Footing.of(node));
        }
        List<Leak> grown =
                before.isEmpty() ? List.of() : Growth.of(before.getFirst().footings(), footings);
        return new Round(quiet, footings, grown);
    }

    /** Everything at once, until the round's time is over and every client and fault has come to its end. */
    private void traffic(String round) throws IOException, InterruptedException {
        var on = new AtomicBoolean(true);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> all = new ArrayList<>();
            parts(round, on::get).forEach(part -> all.add(threads.submit(part)));
            try {
                pass(all);
                on.set(false);
                for (Future<Void> part : all) {
                    Void unused = part.get();
                }
            } catch (ExecutionException e) {
                throw new IOException("a part of the traffic failed: " + e.getCause(), e.getCause());
            } finally {
                on.set(false);
            }
        }
    }

    private List<Callable<Void>> parts(String round, BooleanSupplier on) {
        List<Callable<Void>> parts = new ArrayList<>();
        for (int i = 0; i < plan.clients(); i++) {
            parts.add(new SoakClient(round + "-c" + i, targets, tally, random.split(), on));
        }
        for (int i = 0; i < plan.callers(); i++) {
            parts.add(new ReservationCaller(round + "-s" + i, targets, tally, random.split(), on));
        }
        List<String> ids = List.copyOf(workers.keySet());
        int half = Math.ceilDiv(ids.size(), 2);
        parts.add(flaps(ids.subList(0, half), on));
        if (half < ids.size()) {
            parts.add(flaps(ids.subList(half, ids.size()), on));
        }
        parts.add(new NodeFaults(cluster, targets, tally, random.split(), new NodeFaults.Schedule(on, plan.between())));
        return parts;
    }

    private WorkerFlaps flaps(List<String> ids, BooleanSupplier on) {
        List<Flapping> flapping = new ArrayList<>();
        workers.forEach((id, worker) -> {
            if (ids.contains(id)) {
                flapping.add(new Flapping(id, worker));
            }
        });
        return new WorkerFlaps(flapping, targets, tally, random.split(), on);
    }

    /** The time of a round, or until a part fails. */
    private void pass(List<Future<Void>> parts) throws InterruptedException {
        long began = System.nanoTime();
        long said = 0;
        long end = plan.ofRound().toNanos();
        for (long past = 0; past < end; past = System.nanoTime() - began) {
            if (parts.stream().anyMatch(Future::isDone)) {
                return;
            }
            if (TimeUnit.NANOSECONDS.toSeconds(past) / PROGRESS_S > said) {
                said++;
                progress.accept(tally.counts().toString());
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
