package io.kvrouter.bench.fleet;

import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.fleet.load.Lanes;
import io.kvrouter.bench.fleet.load.LanesShape;
import io.kvrouter.bench.workload.SessionSource;
import io.kvrouter.sim.server.SimulatedFleet;
import io.kvrouter.sim.server.SimulatedWorker;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One run: fresh nodes, fresh workers with empty caches, warm-up, the measured time, and all is ended. */
final class FleetRun {
    private static final long SETTLE_MS = 1_000;
    private static final long POLL_MS = 50;
    private static final long PATIENCE_S = 30;

    private final FleetPlan plan;
    private final Setup setup;
    private final SimulatedFleet workers;
    private final LocalCluster cluster;

    private FleetRun(FleetPlan plan, Setup setup, SimulatedFleet workers, LocalCluster cluster) {
        this.plan = plan;
        this.setup = setup;
        this.workers = workers;
        this.cluster = cluster;
    }

    static RunFigures run(FleetPlan plan, Setup setup, LanesShape shape, SessionSource source)
            throws IOException, InterruptedException {
        boolean listed = !plan.workers().kvEvents();
        try (var workers = SimulatedFleet.start(plan.workers().count(), 0, plan.sim());
                var cluster = LocalCluster.start(
                        setup.nodes(plan.nodes().count()),
                        listed ? plan.workers().count() : 0,
                        launch(plan, setup, listed ? workers.urls() : List.of()))) {
            var run = new FleetRun(plan, setup, workers, cluster);
            if (!listed) {
                run.register();
            }
            List<URI> apis = cluster.nodes().stream().map(LocalNode::api).toList();
            RunFigures measured;
            try (var lanes = Lanes.start(shape, source, apis)) {
                measured = run.measure(lanes, shape.seed());
            }
            return measured.with(Figure.LEFT_OVER, run.leftOver());
        }
    }

    private static LocalCluster.Launch launch(FleetPlan plan, Setup setup, List<URI> workers) {
        Map<String, String> settings = new HashMap<>();
        settings.put("pekko.loglevel", "ERROR");
        // A check of each worker by each node, every 2 s as by default, is half of the load with a thousand workers.
        settings.put("kvrouter.health-check-interval", "10s");
        // Four bytes of text are a token without asking. Events name blocks by tokens, so with them engines are asked.
        settings.put(
                "kvrouter.tokens.ask-engines", Boolean.toString(plan.workers().kvEvents()));
        if (!workers.isEmpty()) {
            settings.put(
                    "kvrouter.worker-urls", workers.stream().map(URI::toString).collect(Collectors.joining(",")));
        }
        settings.putAll(plan.nodes().settings());
        settings.putAll(setup.settings());
        return new LocalCluster.Launch(
                List.of(
                        "-Xmx" + plan.nodes().heap(),
                        "-Dlogback.configurationFile=logback.xml",
                        "-Drouter.log.level=WARN"), // not a line for each worker
                settings,
                setup.joined());
    }

    /** Only a registration tells where a worker publishes its events. */
    private void register() throws IOException, InterruptedException {
        for (LocalNode node : setup.joined() ? cluster.nodes().subList(0, 1) : cluster.nodes()) {
            for (SimulatedWorker worker : workers.workers()) {
                node.post("/workers", worker.registration());
            }
        }
        for (LocalNode node : cluster.nodes()) {
            LocalCluster.awaitWorkers(node, plan.workers().count());
        }
    }

    private RunFigures measure(Lanes lanes, long seed) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(plan.times().warmUp().toMillis());
        Moment began = Moment.now(cluster, workers);
        lanes.cut();
        OptionalDouble crowd = Crowd.watch(workers, plan.times().measured());
        var turns = lanes.cut();
        Moment ended = Moment.now(cluster, workers);
        lanes.stop();
        var window = new Window(began, ended, turns, plan.engine());
        Map<Figure, Double> figures = window.figures(replicates());
        crowd.ifPresent(ratio -> figures.put(Figure.CROWD, ratio));
        TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
        visible(figures, Moment.now(cluster, workers));
        await(lanes);
        return new RunFigures(setup, seed, figures, turns.failures(), window.cpuSeconds());
    }

    /** Turns that outlasted the patience were cut off with their connections: those too must leave nothing. */
    private double leftOver() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        double load = ownLoad();
        while (load > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            load = ownLoad();
        }
        return load;
    }

    private double ownLoad() throws InterruptedException {
        return Moment.now(cluster, workers).sum("kvrouter_own_load_requests");
    }

    private boolean replicates() {
        return setup.joined() && cluster.nodes().size() > 1;
    }

    private void visible(Map<Figure, Double> figures, Moment settled) {
        double made = settled.sum("kvrouter_load_bookings_total");
        figures.put(Figure.BOOKINGS, made);
        if (replicates() && made > 0) {
            int peers = settled.scrapes().size() - 1;
            figures.put(Figure.VISIBLE, settled.sum("kvrouter_load_bookings_visible") / made / peers);
        }
    }

    private static void await(Lanes lanes) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (lanes.inFlight() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }
}
