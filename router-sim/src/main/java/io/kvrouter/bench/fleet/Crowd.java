package io.kvrouter.bench.fleet;

import io.kvrouter.sim.engine.EngineStats;
import io.kvrouter.sim.server.SimulatedFleet;
import io.kvrouter.sim.server.SimulatedWorker;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * How crowded the busiest worker is: its requests against the mean of all, looked at again and again and averaged. Time
 * in steps does not tell it: an engine is as busy with one request as with five.
 */
final class Crowd {
    /** Between two looks, with few workers; with more of them it grows, so that looking stays cheap. */
    private static final int LEAST_MS = 50;

    private final SimulatedFleet workers;
    private double sum;
    private int looks;

    private Crowd(SimulatedFleet workers) {
        this.workers = workers;
    }

    /** Looks for this long; empty if there was never a request. */
    static OptionalDouble watch(SimulatedFleet workers, Duration time) throws InterruptedException {
        var crowd = new Crowd(workers);
        long pause = Math.max(LEAST_MS, workers.workers().size());
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.MILLISECONDS.toNanos(pause)));
            crowd.look();
        }
        return crowd.looks == 0 ? OptionalDouble.empty() : OptionalDouble.of(crowd.sum / crowd.looks);
    }

    private void look() {
        List<EngineStats> stats =
                workers.workers().stream().map(SimulatedWorker::stats).toList();
        var requests = requests(stats).summaryStatistics();
        if (requests.getSum() > 0) {
            sum += requests.getMax() / requests.getAverage();
            looks++;
        }
    }

    private static LongStream requests(List<EngineStats> stats) {
        return stats.stream().mapToLong(engine -> engine.running() + engine.waiting());
    }
}
