package io.kvrouter.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.bench.overlap.Comparison;
import io.kvrouter.bench.overlap.OverlapRun;
import io.kvrouter.sim.kv.KvEventSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedFleet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The overlap that the router tells is what the engines find cached, though they forget much. */
class KvExactnessTest {
    private static final int REQUESTS = 200;
    private static final SimSettings SMALL = SimSettings.DEFAULT
            .withKvEvents(KvEventSettings.DEFAULT)
            .withEngine(SimSettings.DEFAULT.engine().withPool(500, 16).withSpeed(1, 200));

    @Test
    void everyTurnFindsCachedWhatWasToldOnceTheEventsHaveArrived() throws Exception {
        try (var node = OneNode.start(Map.of());
                var fleet = SimulatedFleet.start(4, 0, SMALL)) {
            fleet.workers().forEach(node::register);
            OverlapRun.Pause settled = () -> fleet.workers().forEach(node::awaitEvents);

            List<Comparison> compared =
                    OverlapRun.run(node.api(), new OverlapRun.Shape("sim-model", REQUESTS, 1, settled, 1));

            assertThat(compared).hasSize(REQUESTS).allMatch(Comparison::equal);
            assertThat(compared).filteredOn(one -> one.cachedTokens() > 0).hasSizeGreaterThan(REQUESTS / 2);
            assertThat(fleet.workers())
                    .allMatch(worker -> worker.stats().totals().evictedBlocks() > 0);
        }
    }
}
