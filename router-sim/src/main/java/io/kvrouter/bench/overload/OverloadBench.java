package io.kvrouter.bench.overload;

import io.kvrouter.bench.Samples;
import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.patience.Answers;
import io.kvrouter.bench.patience.Clients;
import io.kvrouter.bench.patience.Completions;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedFleet;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One node, its process fresh for each run; clients and simulated workers are in this process. */
public final class OverloadBench {
    private static final List<String> JVM = List.of("-Xmx300m", "-Dlogback.configurationFile=logback.xml");
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final int PROMPT_WORDS = 400;
    /** On average; they vary, so that places need not come free in step. */
    private static final int ANSWER_TOKENS = 32;

    private static final double MS = 1e6;
    private static final double SECONDS = 1e9;
    private static final int PROBES = 20;
    private static final int LONGEST_RECOVERY_S = 60;
    private static final double NORMAL = 2;

    private final OverloadPlan plan;
    private final SimulatedFleet fleet;
    private final Consumer<String> progress;
    private final List<Row> rows = new ArrayList<>();
    private double capacity;

    private OverloadBench(OverloadPlan plan, SimulatedFleet fleet, Consumer<String> progress) {
        this.plan = plan;
        this.fleet = fleet;
        this.progress = progress;
    }

    /** Runs all loads, with admission and without. */
    public static OverloadReport run(OverloadPlan plan, Consumer<String> progress)
            throws IOException, InterruptedException {
        var engine = EngineSettings.DEFAULT.withSequences(plan.sequences());
        try (var fleet = SimulatedFleet.start(plan.workers(), 0, SimSettings.DEFAULT.withEngine(engine))) {
            var bench = new OverloadBench(plan, fleet, progress);
            bench.runAll(true);
            bench.runAll(false);
            return new OverloadReport(plan, bench.capacity, bench.rows);
        }
    }

    private void runAll(boolean admission) throws IOException, InterruptedException {
        var launch = new LocalCluster.Launch(JVM, settings(admission), true);
        try (var cluster = LocalCluster.start(1, plan.workers(), launch);
                var clients = new Clients(
                        cluster.nodes().getFirst().api().getPort(),
                        Completions.of(PROMPT_WORDS, ANSWER_TOKENS)
                                .answeredBy(3 * ANSWER_TOKENS / 4, 5 * ANSWER_TOKENS / 4),
                        plan.patience())) {
            LocalNode node = cluster.nodes().getFirst();
            clients.closed(plan.places(), plan.time().compareTo(WARM_UP) < 0 ? plan.time() : WARM_UP);
            if (admission) {
                capacity = clients.closed(plan.places(), plan.time()).goodCount() / seconds();
                progress.accept("capacity %.0f requests/s".formatted(capacity));
            }
            long idle = idle(clients);
            for (double factor : plan.factors()) {
                rows.add(load(node, clients, admission, factor, idle));
            }
        }
    }

    private Map<String, String> settings(boolean admission) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "kvrouter.worker-urls",
                fleet.urls().stream().map(URI::toString).collect(Collectors.joining(",")),
                "kvrouter.tokens.ask-engines",
                "false",
                "pekko.loglevel",
                "ERROR"));
        if (admission) {
            settings.put("kvrouter.admission.requests-per-worker", Integer.toString(plan.sequences()));
            settings.put("kvrouter.admission.queue", Integer.toString(plan.queue()));
            settings.put("kvrouter.admission.queue-timeout", plan.patience().toMillis() / 2 + "ms");
        }
        return settings;
    }

    private Row load(LocalNode node, Clients clients, boolean admission, double factor, long idle)
            throws InterruptedException {
        double rate = factor * capacity;
        Answers answers;
        Row.Peak peak;
        try (var gauge = Gauge.start(fleet, node)) {
            answers = clients.open(rate, plan.time());
            peak = gauge.peak();
        }
        double recovery = recovery(clients, idle);
        Samples took = answers.latencies();
        var load = new Row.Load(
                rate,
                answers.goodCount() / seconds(),
                took.percentile(50) / MS,
                took.percentile(99) / MS,
                answers.others(),
                peak);
        progress.accept("admission %s, %.1fx: %.1f good answers/s".formatted(admission, factor, load.goodput()));
        return new Row(admission, factor, load, recovery);
    }

    private double seconds() {
        return plan.time().toMillis() / 1e3;
    }

    /** How long a request takes when it is the only one. */
    private static long idle(Clients clients) {
        var answers = new Answers();
        for (int i = 0; i < PROBES; i++) {
            clients.request(answers, System.nanoTime());
        }
        return answers.latencies().percentile(50);
    }

    /** Seconds until a request takes about as long again. */
    private static double recovery(Clients clients, long idle) {
        var answers = new Answers();
        long began = System.nanoTime();
        long latest = began + TimeUnit.SECONDS.toNanos(LONGEST_RECOVERY_S);
        for (long now = began; now < latest; now = System.nanoTime()) {
            long took = clients.request(answers, now);
            if (took >= 0 && took <= NORMAL * idle) {
                return (now - began) / SECONDS;
            }
        }
        return LONGEST_RECOVERY_S;
    }
}
