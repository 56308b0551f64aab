package io.kvrouter.bench.fleet;

import io.kvrouter.bench.fleet.load.LanesShape;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.kv.KvEventSettings;
import io.kvrouter.sim.server.SimSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What is measured.
 *
 * @param nodes ingress nodes
 * @param setups what the sessions of each seed are played on, one after the other
 * @param workers what they route to
 * @param lanes what is played; its seed is the first run's, the next ones follow
 * @param seeds runs
 * @param times of each run
 */
public record FleetPlan(Nodes nodes, List<Setup> setups, Workers workers, LanesShape lanes, int seeds, Times times) {
    /**
     * Ingress nodes, each a JVM.
     *
     * @param heap largest heap of each, as {@code -Xmx} takes it
     * @param settings of each by full key, over those of the benchmark
     */
    public record Nodes(int count, String heap, Map<String, String> settings) {
        public Nodes {
            atLeast("nodes", count, 1);
            settings = Map.copyOf(settings);
        }
    }

    /**
     * Simulated workers.
     *
     * @param kvBlocks of each, of 64 tokens
     * @param slow divides their prefill speed
     */
    public record Workers(int count, int kvBlocks, double slow, boolean kvEvents) {
        public Workers {
            atLeast("workers", count, 1);
        }
    }

    /** How long a run takes. What comes in the warm-up is not measured. */
    public record Times(Duration warmUp, Duration measured) {}

    public FleetPlan {
        atLeast("seeds", seeds, 1);
        setups = List.copyOf(setups);
        engine(workers, lanes); // refuses what an engine can't be
    }

    SimSettings sim() {
        var settings = SimSettings.DEFAULT.withEngine(engine(workers, lanes));
        return workers.kvEvents() ? settings.withKvEvents(KvEventSettings.DEFAULT) : settings;
    }

    EngineSettings engine() {
        return engine(workers, lanes);
    }

    int runs() {
        return seeds * setups.size();
    }

    /** Of one run: with fewer nodes each has more turns at once, so that the load is the same. */
    LanesShape lanes(Setup setup, int run) {
        return lanes.withConcurrency(lanes.concurrency() * nodes.count() / setup.nodes(nodes.count()))
                .withSeed(lanes.seed() + run);
    }

    private static EngineSettings engine(Workers workers, LanesShape lanes) {
        var whole = EngineSettings.DEFAULT;
        return whole.withPool(workers.kvBlocks(), whole.blockSize())
                .withSpeed(workers.slow(), lanes.speedUp())
                .withTokenScale(lanes.tokenScale());
    }

    private static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: at least " + least + ")");
        }
    }
}
