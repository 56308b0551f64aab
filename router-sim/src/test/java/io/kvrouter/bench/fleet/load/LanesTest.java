package io.kvrouter.bench.fleet.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvrouter.bench.workload.SyntheticSessions;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedWorker;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class LanesTest {
    private static final LanesShape SHAPE = new LanesShape(4, 4, 16, 1_000, 10, true, 1);
    private static final long TURNS = 100;

    @Test
    void oneWorkerWithAnAmpleCacheHasAllThatIsPossible() {
        var engine =
                EngineSettings.DEFAULT.withPool(60_000, 64).withSpeed(1, 1_000).withTokenScale(16);
        try (var worker = SimulatedWorker.start(SimSettings.DEFAULT.withEngine(engine));
                var lanes = Lanes.start(SHAPE, new SyntheticSessions(), List.of(worker.url()))) {
            await(worker);
            lanes.stop();

            LanesTally tally = lanes.cut();
            assertThat(tally.failed()).isZero();
            assertThat(tally.comparedTokens()).isEqualTo(tally.promptTokens()).isPositive();
            assertThat((double) tally.foundTokens() / tally.comparedTokens())
                    .isCloseTo((double) tally.idealTokens() / tally.comparedTokens(), within(0.002));
        }
    }

    /** Looks at the worker, because a cut takes what was counted. */
    private static void await(SimulatedWorker worker) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (worker.requests().size() < TURNS && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
