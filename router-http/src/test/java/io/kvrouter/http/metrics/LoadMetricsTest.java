package io.kvrouter.http.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.cluster.load.LoadCounters;
import io.kvrouter.cluster.load.LoadView;
import io.kvrouter.cluster.load.NodeLoad;
import io.kvrouter.cluster.load.lag.LagHistogram;
import io.kvrouter.load.slice.WorkerLoad;
import io.kvrouter.worker.WorkerId;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LoadMetricsTest {
    private static final Map<WorkerId, Map<Integer, WorkerLoad>> OWN =
            Map.of(new WorkerId("w1"), Map.of(0, new WorkerLoad(2, 30, 4, 500)));
    private static final Map<WorkerId, Map<Integer, WorkerLoad>> OTHERS =
            Map.of(new WorkerId("w1"), Map.of(0, new WorkerLoad(7, 70, 7, 700)));

    private final AtomicReference<LoadView> view = new AtomicReference<>(view(List.of(peer())));
    private final PrometheusRegistry registry = new PrometheusRegistry();

    LoadMetricsTest() {
        registry.register(new LoadMetrics("a:1", view::get));
    }

    private static NodeLoad peer() {
        long[] counts = LagHistogram.Snapshot.empty().counts();
        counts[18] = 3; // up to 19 ms, shown as up to 20
        return new NodeLoad("b:2", 1_500, 0, 40, OTHERS, LagHistogram.Snapshot.of(counts, 19), 11);
    }

    private static LoadView view(List<NodeLoad> nodes) {
        return new LoadView(OWN, 12, nodes, OTHERS, 2, LoadCounters.NONE);
    }

    private List<String> scrape() throws IOException {
        var out = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create().write(out, registry.scrape());
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    @Test
    void aNodeShowsItsOwnLoadOnlySoThatSumsOverNodesCountNothingTwice() throws IOException {
        assertThat(scrape())
                .filteredOn(line -> line.contains("worker="))
                .containsExactlyInAnyOrder(
                        "kvrouter_own_load_requests{node=\"a:1\",rank=\"0\",worker=\"w1\"} 2.0",
                        "kvrouter_own_load_prefill_tokens{node=\"a:1\",rank=\"0\",worker=\"w1\"} 30.0",
                        "kvrouter_own_load_decode_blocks{node=\"a:1\",rank=\"0\",worker=\"w1\"} 4.0",
                        "kvrouter_own_load_footprint_tokens{node=\"a:1\",rank=\"0\",worker=\"w1\"} 500.0");
    }

    @Test
    void howFarBehindEachPeerIsStandsThere() throws IOException {
        assertThat(scrape())
                .contains(
                        "kvrouter_load_lag_seconds_bucket{node=\"a:1\",peer=\"b:2\",le=\"0.015\"} 0",
                        "kvrouter_load_lag_seconds_bucket{node=\"a:1\",peer=\"b:2\",le=\"0.02\"} 3",
                        "kvrouter_load_lag_seconds_count{node=\"a:1\",peer=\"b:2\"} 3",
                        "kvrouter_load_peer_age_seconds{node=\"a:1\",peer=\"b:2\"} 1.5",
                        "kvrouter_load_peer_bookings{node=\"a:1\",peer=\"b:2\"} 40.0",
                        "kvrouter_load_bookings_visible{node=\"a:1\",peer=\"b:2\"} 11.0",
                        "kvrouter_load_bookings_total{node=\"a:1\"} 12.0");
    }

    @Test
    void theSeriesOfANodeThatIsGoneAreGone() throws IOException {
        view.set(view(List.of()));

        assertThat(scrape()).noneMatch(line -> line.contains("b:2"));
    }
}
