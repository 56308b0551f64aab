package io.kvrouter.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.bench.cluster.Scrape;
import io.kvrouter.bench.fleet.load.LanesTally;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.engine.EngineStats.Totals;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WindowTest {
    private static final EngineSettings ENGINE = EngineSettings.DEFAULT.withTokenScale(16);
    private static final String SCRAPE = """
            kvrouter_load_updates_received_total{node="a"} %d
            kvrouter_load_lag_seconds_bucket{node="a",le="0.01"} %d
            kvrouter_load_lag_seconds_bucket{node="a",le="+Inf"} %d
            """;

    private final Moment began = moment(
            0,
            List.of(Scrape.of(SCRAPE.formatted(10, 5, 5)), Scrape.NONE),
            1,
            List.of(new Totals(100, 50, 0, 0, 10, 0, 1_000), new Totals(0, 0, 0, 0, 0, 0, 0)));
    private final Moment ended = moment(
            2_000_000_000L,
            List.of(Scrape.of(SCRAPE.formatted(30, 9, 9)), Scrape.NONE),
            3,
            List.of(new Totals(1_000, 800, 0, 0, 30, 0, 1_600), new Totals(100, 50, 0, 0, 0, 0, 200)));

    @Test
    void countsWhatCameBetweenItsEnds() {
        Map<Figure, Double> figures = new Window(began, ended, new LanesTally(), ENGINE).figures(true);

        assertThat(figures)
                .containsEntry(Figure.COUNTED_HIT, 0.8)
                .containsEntry(Figure.EVICTED, 640.0)
                .containsEntry(Figure.IMBALANCE, 1.5)
                .containsEntry(Figure.BUSY, 0.2)
                .containsEntry(Figure.RECEIVED, 20.0)
                .containsEntry(Figure.LAG_MAX, 10.0)
                .containsEntry(Figure.NODE_CPU, 2.0);
    }

    @Test
    void oneNodeHasNoReplication() {
        Map<Figure, Double> figures = new Window(alone(began), alone(ended), new LanesTally(), ENGINE).figures(false);

        assertThat(figures).doesNotContainKeys(Figure.RECEIVED, Figure.LAG_P50).containsKey(Figure.HIT);
    }

    @Test
    void aSpreadIsMeanLeastAndMost() {
        assertThat(Spread.of(List.of(1.0, 2.0, 6.0))).contains(new Spread(3, 1, 6));
        assertThat(Spread.of(List.of())).isEmpty();
    }

    private static Moment moment(long nanos, List<Scrape> scrapes, double cpu, List<Totals> engines) {
        return new Moment(nanos, scrapes, List.of(cpu, cpu), 0, engines);
    }

    private static Moment alone(Moment two) {
        return new Moment(two.nanos(), List.of(Scrape.NONE), List.of(two.ownCpu()), 0, two.engines());
    }
}
