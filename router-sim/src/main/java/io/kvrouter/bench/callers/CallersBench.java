package io.kvrouter.bench.callers;

import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.patience.Completions;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedFleet;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A cluster under two callers, phase by phase; clients and simulated workers are in this process. */
public final class CallersBench {
    private static final List<String> JVM = List.of("-Xmx300m", "-Dlogback.configurationFile=logback.xml");
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final int QUEUE = 256;
    private static final int PROMPT_WORDS = 20;
    /** Prompts take next to no time, so that the others' do not make answers slower: what remains is the wait. */
    private static final double PREFILL = 0.02;

    private final CallersPlan plan;
    private final List<Integer> ports;
    private final CallerKeys keys;
    private final Consumer<String> progress;
    private final List<Row> rows = new ArrayList<>();

    private CallersBench(CallersPlan plan, LocalCluster cluster, CallerKeys keys, Consumer<String> progress) {
        this.plan = plan;
        this.ports = cluster.nodes().stream().map(node -> node.api().getPort()).toList();
        this.keys = keys;
        this.progress = progress;
    }

    /** Runs all phases, after a warm-up. */
    public static CallersReport run(CallersPlan plan, Consumer<String> progress)
            throws IOException, InterruptedException {
        var keys = new CallerKeys();
        var engine = EngineSettings.DEFAULT.withSequences(plan.sequences()).withSpeed(PREFILL, 1);
        progress.accept("starting " + plan.nodes() + " nodes");
        try (var fleet = SimulatedFleet.start(plan.workers(), 0, SimSettings.DEFAULT.withEngine(engine));
                var cluster = LocalCluster.start(
                        plan.nodes(),
                        plan.workers(),
                        new LocalCluster.Launch(JVM, settings(plan, fleet, keys), true))) {
            var bench = new CallersBench(plan, cluster, keys, progress);
            bench.warmUp();
            for (Phase phase : Phase.values()) {
                bench.measure(phase);
            }
            int most = fleet.workers().stream()
                    .mapToInt(worker -> worker.stats().most())
                    .max()
                    .orElse(0);
            return new CallersReport(plan, bench.rows, most);
        }
    }

    private static Map<String, String> settings(CallersPlan plan, SimulatedFleet fleet, CallerKeys keys) {
        int clients = plan.greedy() + plan.modest();
        return Map.of(
                "kvrouter.worker-urls",
                fleet.urls().stream().map(URI::toString).collect(Collectors.joining(",")),
                "kvrouter.tokens.ask-engines",
                "false",
                "kvrouter.access.keys",
                keys.setting(),
                "kvrouter.admission.requests-per-worker",
                Integer.toString(plan.sequences()),
                "kvrouter.admission.queue",
                Integer.toString(Math.max(QUEUE, clients)),
                "kvrouter.admission.queue-timeout",
                "60s",
                "pekko.loglevel",
                "ERROR");
    }

    private void warmUp() throws InterruptedException {
        progress.accept("warm-up");
        Duration time = plan.time().compareTo(WARM_UP) < 0 ? plan.time() : WARM_UP;
        play(Phase.EQUAL, System.nanoTime(), time);
    }

    private void measure(Phase phase) throws InterruptedException {
        List<Row> measured = play(phase, System.nanoTime() + plan.rampUp().toNanos(), plan.time());
        rows.addAll(measured);
        measured.forEach(row -> progress.accept("%s: %s %.1f answers/s, %.0f ms"
                .formatted(phase.title(), row.of().party(), row.perSecond(), row.p50Ms())));
    }

    /** Returns when the last request is over, so that the next phase begins with nobody inside. */
    private List<Row> play(Phase phase, long from, Duration time) throws InterruptedException {
        long until = from + time.toNanos();
        List<Crowd> crowds = phase.parties().stream()
                .map(party -> new Crowd(ports, plan.clients(phase, party), requests(phase, party), until))
                .toList();
        try {
            List<Row> played = new ArrayList<>();
            for (int i = 0; i < crowds.size(); i++) {
                var key = new Row.Key(phase, phase.parties().get(i));
                played.add(Row.of(key, crowds.get(i).answers(), from, time));
            }
            return played;
        } finally {
            crowds.forEach(Crowd::close);
        }
    }

    private Completions requests(Phase phase, Party party) {
        return Completions.of(PROMPT_WORDS, plan.tokens())
                .answeredBy(plan.tokens() - plan.spread(), plan.tokens() + plan.spread())
                .by(keys.of(phase, party));
    }
}
