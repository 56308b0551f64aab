package io.kvrouter.bench.fleet;

import io.kvrouter.bench.cluster.Buckets;
import io.kvrouter.bench.cluster.LocalCluster;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.cluster.Scrape;
import io.kvrouter.sim.engine.EngineStats;
import io.kvrouter.sim.server.SimulatedFleet;
import io.kvrouter.sim.server.SimulatedWorker;
import java.util.ArrayList;
import java.util.List;

/**
 * What all counters say at one instant.
 *
 * @param scrapes of each node
 * @param cpu seconds of each node so far
 * @param ownCpu seconds of this process so far
 * @param engines of each worker
 */
record Moment(long nanos, List<Scrape> scrapes, List<Double> cpu, double ownCpu, List<EngineStats.Totals> engines) {
    private static final double MILLIS = 1e3;

    static Moment now(LocalCluster cluster, SimulatedFleet workers) throws InterruptedException {
        List<Scrape> scrapes = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        for (LocalNode node : cluster.nodes()) {
            scrapes.add(node.scrape());
            cpu.add(node.cpuSeconds());
        }
        double own = ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .map(time -> time.toMillis())
                        .orElse(0L)
                / MILLIS;
        List<EngineStats.Totals> engines = workers.workers().stream()
                .map(SimulatedWorker::stats)
                .map(EngineStats::totals)
                .toList();
        return new Moment(System.nanoTime(), scrapes, cpu, own, engines);
    }

    /** A counter or gauge over all nodes. */
    double sum(String name) {
        return scrapes.stream().mapToDouble(scrape -> scrape.sum(name)).sum();
    }

    Buckets histogram(String name) {
        return scrapes.stream().map(scrape -> scrape.histogram(name, "")).reduce(Buckets.EMPTY, Buckets::plus);
    }
}
