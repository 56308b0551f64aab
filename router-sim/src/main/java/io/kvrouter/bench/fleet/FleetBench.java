package io.kvrouter.bench.fleet;

import io.kvrouter.bench.workload.SessionSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * Agents' sessions on a fleet of simulated engines behind several ingress nodes, and the same behind one. Nodes are
 * processes of their own; the workers and the load generator are in this one.
 */
public final class FleetBench {
    private FleetBench() {}

    /** All runs, one after the other: for each seed one of each setup. What fails to start does not cost the others. */
    public static FleetReport run(FleetPlan plan, SessionSource source, Consumer<String> progress)
            throws InterruptedException {
        List<RunFigures> runs = new ArrayList<>();
        for (int seed = 0; seed < plan.seeds(); seed++) {
            for (Setup setup : plan.setups()) {
                var shape = plan.lanes(setup, seed);
                progress.accept("run %d of %d: seed %d, %s"
                        .formatted(
                                seed * plan.setups().size() + plan.setups().indexOf(setup) + 1,
                                plan.runs(),
                                shape.seed(),
                                setup.title(plan.nodes().count())));
                try {
                    runs.add(FleetRun.run(plan, setup, shape, source));
                } catch (IOException | CompletionException e) {
                    progress.accept("no figures of this run: " + e.getMessage());
                }
            }
        }
        return new FleetReport(plan, source.title(), runs);
    }
}
