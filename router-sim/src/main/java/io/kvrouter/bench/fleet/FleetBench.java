package io.kvrouter.bench.fleet;

import io.kvrouter.bench.workload.SessionSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Agents' sessions on a fleet of simulated engines behind several ingress nodes, and the same behind one. Nodes are
 * processes of their own; the workers and the load generator are in this one.
 */
public final class FleetBench {
    private FleetBench() {}

    /** All runs, one after the other: for each seed one with all nodes, and one with a single node. */
    public static FleetReport run(FleetPlan plan, SessionSource source, Consumer<String> progress)
            throws IOException, InterruptedException {
        List<RunFigures> runs = new ArrayList<>();
        for (int seed = 0; seed < plan.seeds(); seed++) {
            for (int nodes : plan.sizes()) {
                var shape = plan.lanes(nodes, seed);
                progress.accept("run %d of %d: seed %d, %d nodes"
                        .formatted(runs.size() + 1, plan.seeds() * plan.sizes().size(), shape.seed(), nodes));
                runs.add(FleetRun.run(plan, nodes, shape, source));
            }
        }
        return new FleetReport(plan, runs);
    }
}
