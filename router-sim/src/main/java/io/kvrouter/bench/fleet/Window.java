package io.kvrouter.bench.fleet;

import io.kvrouter.bench.Samples;
import io.kvrouter.bench.cluster.Buckets;
import io.kvrouter.bench.fleet.load.LanesTally;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.engine.EngineStats;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The arithmetic of the measured time: from what all counters said at both of its ends, and the turns that ended between.
 */
record Window(Moment began, Moment ended, LanesTally turns, EngineSettings engine) {
    private static final double NANOS = 1e9;
    private static final double NANOS_A_MS = 1e6;
    private static final double MICROS = 1e6;
    private static final double MILLIS = 1e3;
    private static final double P50 = 50;
    private static final double P99 = 99;
    private static final String LAG = "kvrouter_load_lag_seconds";

    /** @param replicates whether there are nodes that tell each other their load */
    Map<Figure, Double> figures(boolean replicates) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        caches(figures);
        busy(figures);
        turns(figures);
        cpu(figures);
        if (replicates) {
            replication(figures);
        }
        return figures;
    }

    List<Double> cpuSeconds() {
        return IntStream.range(0, ended.cpu().size())
                .mapToObj(node -> ended.cpu().get(node) - began.cpu().get(node))
                .toList();
    }

    private double seconds() {
        return (ended.nanos() - began.nanos()) / NANOS;
    }

    private void caches(Map<Figure, Double> figures) {
        double ideal = ratio((double) turns.idealTokens(), (double) turns.comparedTokens());
        double hit = ratio((double) turns.foundTokens(), (double) turns.comparedTokens());
        double counted = ratio(all(EngineStats.Totals::hitTokens), all(EngineStats.Totals::queriedTokens));
        figures.put(Figure.IDEAL_HIT, ideal);
        figures.put(Figure.HIT, hit);
        figures.put(Figure.COUNTED_HIT, counted);
        figures.put(Figure.HIT_OF_IDEAL, ratio(hit, ideal));
        figures.put(Figure.MISJUDGED, ratio((double) turns.misjudgedTokens(), (double) turns.toldTokens()));
        double tokensABlock = (double) engine.blockSize() * engine.tokenScale();
        figures.put(Figure.EVICTED, all(EngineStats.Totals::evictedBlocks) * tokensABlock / seconds());
    }

    private void busy(Map<Figure, Double> figures) {
        double[] busy = each(EngineStats.Totals::busyMs);
        double mean = Arrays.stream(busy).average().orElse(0);
        double most = Arrays.stream(busy).max().orElse(0);
        figures.put(Figure.IMBALANCE, ratio(most, mean));
        figures.put(Figure.BUSY, mean / MILLIS / seconds());
    }

    private void turns(Map<Figure, Double> figures) {
        Samples first = turns.firstTokens();
        figures.put(Figure.TTFT_MEAN, first.stream().average().orElse(0) / NANOS_A_MS);
        figures.put(Figure.TTFT_P50, first.percentile(P50) / NANOS_A_MS);
        figures.put(Figure.TTFT_P99, first.percentile(P99) / NANOS_A_MS);
        figures.put(Figure.TURNS, turns.turns() / seconds());
        figures.put(Figure.PROMPT_TOKENS, turns.promptTokens() / seconds());
        figures.put(Figure.IN_FLIGHT, turns.turnSeconds() / seconds());
        figures.put(Figure.FAILED, (double) turns.failed());
        figures.put(Figure.MOVES, (double) turns.moves());
        figures.put(Figure.MOVED_SESSIONS, (double) turns.movedSessions());
    }

    private void replication(Map<Figure, Double> figures) {
        figures.put(Figure.MADE, grown("kvrouter_load_updates_made_total"));
        figures.put(Figure.RECEIVED, grown("kvrouter_load_updates_received_total"));
        figures.put(Figure.APPLIED, grown("kvrouter_load_updates_applied_total"));
        figures.put(Figure.SKIPPED, grown("kvrouter_load_updates_skipped_total"));
        figures.put(Figure.TIMEOUTS, grown("kvrouter_load_write_timeouts_total"));
        Buckets lag = ended.histogram(LAG).since(began.histogram(LAG));
        figures.put(Figure.LAG_P50, lag.percentileMs(P50));
        figures.put(Figure.LAG_P99, lag.percentileMs(P99));
        figures.put(Figure.LAG_MAX, lag.mostMs());
    }

    private void cpu(Map<Figure, Double> figures) {
        double nodes = cpuSeconds().stream().mapToDouble(Double::doubleValue).sum();
        double bench = ended.ownCpu() - began.ownCpu();
        figures.put(Figure.NODE_CPU, nodes / ended.cpu().size());
        figures.put(Figure.TURN_CPU, ratio(nodes * MICROS, (double) turns.turns()));
        figures.put(Figure.BENCH_CPU, bench);
        figures.put(
                Figure.MACHINE,
                (nodes + bench) / seconds() / Runtime.getRuntime().availableProcessors());
    }

    private double grown(String name) {
        return ended.sum(name) - began.sum(name);
    }

    private double all(ToDoubleFunction<EngineStats.Totals> count) {
        return Arrays.stream(each(count)).sum();
    }

    private double[] each(ToDoubleFunction<EngineStats.Totals> count) {
        return IntStream.range(0, ended.engines().size())
                .mapToDouble(worker -> count.applyAsDouble(ended.engines().get(worker))
                        - count.applyAsDouble(began.engines().get(worker)))
                .toArray();
    }

    private static double ratio(double part, double whole) {
        return whole == 0 ? 0 : part / whole;
    }
}
