package io.kvrouter.bench.sessions;

import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.cluster.Scrape;
import io.kvrouter.bench.sessions.PhaseResult.Inside;
import io.kvrouter.bench.sessions.load.Tally;
import io.kvrouter.bench.sessions.load.TurnClient;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Cuts the run into phases: what a phase has is the difference of what all counters say at its two ends. */
final class PhaseMeter {
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;
    private static final String RESOLVE = "kvrouter_session_resolve_seconds";
    private static final String ASK = "kvrouter_session_ask_seconds";

    private record Moment(long nanos, Map<LocalNode, Scrape> scrapes, Map<LocalNode, Double> cpu, double ownCpu) {}

    private final LocalCluster cluster;
    private final TurnClient client;
    private Moment began;

    PhaseMeter(LocalCluster cluster, TurnClient client) throws InterruptedException {
        this.cluster = cluster;
        this.client = client;
        this.began = now();
    }

    /** The phase ends here, and the next begins. */
    PhaseResult cut(String name) throws InterruptedException {
        Moment ended = now();
        Moment start = began;
        began = ended;
        Tally tally = client.tally();
        Map<String, Double> cpu = new LinkedHashMap<>();
        Inside inside = Inside.NOTHING;
        for (var node : ended.scrapes().entrySet()) {
            Scrape before = start.scrapes().getOrDefault(node.getKey(), Scrape.NONE);
            inside = inside.plus(between(before, node.getValue()));
            cpu.put(
                    node.getKey().name(),
                    ended.cpu().getOrDefault(node.getKey(), 0.0) - start.cpu().getOrDefault(node.getKey(), 0.0));
        }
        cpu.put(PhaseResult.BENCH, ended.ownCpu() - start.ownCpu());
        return new PhaseResult(name, (ended.nanos() - start.nanos()) / NANOS, tally, inside, cpu);
    }

    private Moment now() throws InterruptedException {
        Map<LocalNode, Scrape> scrapes = new LinkedHashMap<>();
        Map<LocalNode, Double> cpu = new HashMap<>();
        for (LocalNode node : cluster.alive()) {
            scrapes.put(node, node.scrape());
            cpu.put(node, node.cpuSeconds());
        }
        double own = ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .map(cpuTime -> cpuTime.toMillis())
                        .orElse(0L)
                / MILLIS;
        return new Moment(System.nanoTime(), scrapes, cpu, own);
    }

    private static Inside between(Scrape before, Scrape after) {
        return new Inside(
                after.histogram(RESOLVE, "").since(before.histogram(RESOLVE, "")),
                after.histogram(ASK, "where=\"local\"").since(before.histogram(ASK, "where=\"local\"")),
                after.histogram(ASK, "where=\"remote\"").since(before.histogram(ASK, "where=\"remote\"")),
                difference("kvrouter_session_timeouts_total", before, after),
                difference("kvrouter_session_unawaited_total", before, after),
                difference("jvm_gc_collection_seconds_sum", before, after));
    }

    private static double difference(String name, Scrape before, Scrape after) {
        return after.sum(name) - before.sum(name);
    }
}
