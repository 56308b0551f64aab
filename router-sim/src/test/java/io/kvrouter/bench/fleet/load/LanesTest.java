package io.kvrouter.bench.fleet.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvrouter.bench.workload.EqualPrompts;
import io.kvrouter.bench.workload.SessionSource;
import io.kvrouter.bench.workload.SyntheticSessions;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedWorker;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LanesTest {
    private static final LanesShape SHAPE = new LanesShape(4, 4, 16, 1_000, 10, true, 1);
    private static final EngineSettings ENGINE =
            EngineSettings.DEFAULT.withPool(60_000, 64).withSpeed(1, 1_000).withTokenScale(16);
    private static final long TURNS = 100;

    @ParameterizedTest
    @MethodSource("sources")
    void oneWorkerWithAnAmpleCacheHasAllThatIsPossible(SessionSource source) {
        try (var worker = SimulatedWorker.start(SimSettings.DEFAULT.withEngine(ENGINE));
                var lanes = Lanes.start(SHAPE, source, List.of(worker.url()))) {
            await(worker);
            lanes.stop();

            LanesTally tally = lanes.cut();
            assertThat(tally.failed()).isZero();
            assertThat(tally.comparedTokens()).isEqualTo(tally.promptTokens()).isPositive();
            assertThat((double) tally.foundTokens() / tally.comparedTokens())
                    .isCloseTo((double) tally.idealTokens() / tally.comparedTokens(), within(0.002));
        }
    }

    static List<SessionSource> sources() {
        return List.of(new SyntheticSessions(), new SyntheticSessions(0.1, 3), new EqualPrompts(6_400));
    }

    @Test
    void aSubAgentIsASessionOfItsOwn() {
        try (var worker = SimulatedWorker.start(SimSettings.DEFAULT.withEngine(ENGINE));
                var lanes = Lanes.start(SHAPE, new SyntheticSessions(1, 0), List.of(worker.url()))) {
            await(worker);
            lanes.stop();

            assertThat(worker.requests())
                    .extracting(request ->
                            request.path("headers").path("x-session-id").asText())
                    .anyMatch(id -> id.matches("s1-\\d-1"))
                    .anyMatch(id -> id.matches("s1-\\d-1-a1"))
                    .anyMatch(id -> id.matches("s1-\\d-1-a2"));
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
