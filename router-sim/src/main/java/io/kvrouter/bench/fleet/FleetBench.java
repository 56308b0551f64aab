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

    /** All runs, one after the other: for each seed one of each setup. */
    public static FleetReport run(FleetPlan plan, SessionSource source, Consumer<String> progress)
            throws IOException, InterruptedException {
        List<RunFigures> runs = new ArrayList<>();
        for (int seed = 0; seed < plan.seeds(); seed++) {
            for (Setup setup : plan.setups()) {
                var shape = plan.lanes(setup, seed);
                progress.accept("run %d of %d: seed %d, %s"
                        .formatted(
                                runs.size() + 1,
                                plan.seeds() * plan.setups().size(),
                                shape.seed(),
                                setup.title(plan.nodes().count())));
                runs.add(FleetRun.run(plan, setup, shape, source));
            }
        }
        return new FleetReport(plan, source.title(), runs);
    }
}
