package io.kvrouter.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.bench.fleet.load.LanesShape;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetReportTest {
    private static final FleetPlan PLAN = new FleetPlan(
            new FleetPlan.Nodes(4, "512m", Map.of()),
            List.of(Setup.CLUSTER, Setup.SEPARATE),
            new FleetPlan.Workers(2, 100, 1, false),
            new LanesShape(1, 100, 16, 10, 10, true, 1),
            1,
            new FleetPlan.Times(Duration.ofSeconds(1), Duration.ofSeconds(1)));

    @Test
    void aColumnForEachSetupSaysWhatIsKnownOfIt() {
        var report = report(run(Setup.CLUSTER, 3), run(Setup.SEPARATE, 5));

        assertThat(report.sound()).isTrue();
        assertThat(report.text()).containsPattern("4 nodes +separate\n").containsPattern("turns/s +3.0 +5.0\n");
    }

    @Test
    void aRunThatCouldNotBeMadeIsMissed() {
        var report = report(run(Setup.CLUSTER, 3));

        assertThat(report.sound()).isFalse();
        assertThat(report.text()).contains("runs without figures: 1 of 2").containsPattern("turns/s +3.0 +-\n");
    }

    @Test
    void nodesThatDoNotKnowEachOtherHaveTheSameTurnsAndOneNodeHasThoseOfAll() {
        assertThat(PLAN.lanes(Setup.SEPARATE, 0).concurrency()).isEqualTo(100);
        assertThat(PLAN.lanes(Setup.ONE, 0).concurrency()).isEqualTo(400);
    }

    private static FleetReport report(RunFigures... runs) {
        return new FleetReport(PLAN, "what was played", List.of(runs));
    }

    private static RunFigures run(Setup setup, double turns) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.TURNS, turns);
        return new RunFigures(setup, 1, figures, Map.of(), List.of(1.0));
    }
}
