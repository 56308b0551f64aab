package io.kvrouter.http.metrics;

import io.kvrouter.cluster.load.LoadCounters;
import io.kvrouter.cluster.load.LoadView;
import io.kvrouter.cluster.load.NodeLoad;
import io.kvrouter.load.slice.WorkerLoad;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The load that entered at this node, and how well the other nodes hear of it: all from one view a scrape. Every series
 * carries this node's address, and none shows what another node books, so that sums over the nodes count nothing twice.
 * The series of a worker or node that is gone are gone.
 */
final class LoadMetrics implements MultiCollector {
    private static final double MS = 1e3;

    private final String node;
    private final Supplier<LoadView> load;

    LoadMetrics(String node, Supplier<LoadView> load) {
        this.node = node;
        this.load = load;
    }

    @Override
    public MetricSnapshots collect() {
        LoadView view = load.get();
        List<MetricSnapshot> all = new ArrayList<>();
        workers(view, all);
        updates(view.counters(), all);
        all.add(counter("bookings", "Reservations made", view.bookings()));
        all.add(peers(view, "peer_age_seconds", "Since when nothing newer was heard of a node", n -> n.ageMs() / MS));
        all.add(peers(view, "peer_bookings", "Reservations of another node that are seen here", NodeLoad::bookings));
        all.add(peers(
                view, "bookings_visible", "Reservations made here that a node has seen", NodeLoad::visibleBookings));
        all.add(lag(view));
        return new MetricSnapshots(all);
    }

    private void workers(LoadView view, List<MetricSnapshot> all) {
        all.add(workers(view, "requests", "Requests in flight", WorkerLoad::requests));
        all.add(workers(
                view,
                "prefill_tokens",
                "Prompt tokens that are neither cached nor prefilled yet",
                WorkerLoad::prefillTokens));
        all.add(workers(view, "decode_blocks", "KV blocks held by requests in flight", WorkerLoad::decodeBlocks));
        all.add(workers(
                view,
                "footprint_tokens",
                "Context tokens of sessions that were active lately",
                WorkerLoad::footprintTokens));
    }

    private GaugeSnapshot workers(LoadView view, String what, String help, ToDoubleFunction<WorkerLoad> value) {
        var gauge = GaugeSnapshot.builder()
                .name("kvrouter_own_load_" + what)
                .help(help + ", of what this node has to tell. The fleet's is the sum over the nodes.");
        view.own()
                .forEach((worker, ranks) -> ranks.forEach((rank, of) -> gauge.dataPoint(point(
                        Labels.of("node", node, "rank", Integer.toString(rank), "worker", worker.value()),
                        value.applyAsDouble(of)))));
        return gauge.build();
    }

    private GaugeSnapshot peers(LoadView view, String what, String help, ToDoubleFunction<NodeLoad> value) {
        var gauge = GaugeSnapshot.builder().name("kvrouter_load_" + what).help(help + ".");
        view.nodes().forEach(peer -> gauge.dataPoint(point(labels(peer), value.applyAsDouble(peer))));
        return gauge.build();
    }

    private static GaugeDataPointSnapshot point(Labels labels, double value) {
        return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
    }

    private Labels labels(NodeLoad peer) {
        return Labels.of("node", node, "peer", peer.node());
    }

    private void updates(LoadCounters counts, List<MetricSnapshot> all) {
        all.add(counter("updates_made", "Load updates that this node sent to all others", counts.updatesMade()));
        all.add(counter("updates_received", "Load updates of other nodes that came", counts.updatesReceived()));
        all.add(counter("updates_applied", "Those of them that told something new", counts.updatesApplied()));
        all.add(counter("updates_skipped", "Those that did not, or came from a removed node", counts.updatesSkipped()));
        all.add(counter("update_bytes_sent", "What updates took, for all receivers", counts.bytesSent()));
        all.add(counter("update_bytes_received", "What other nodes' updates took", counts.bytesReceived()));
        all.add(counter("write_timeouts", "Whole slices not acknowledged in time", counts.writeTimeouts()));
    }

    private CounterSnapshot counter(String what, String help, long value) {
        return CounterSnapshot.builder()
                .name("kvrouter_load_" + what)
                .help(help + ".")
                .dataPoint(CounterDataPointSnapshot.builder()
                        .labels(Labels.of("node", node))
                        .value((double) value)
                        .build())
                .build();
    }

    private HistogramSnapshot lag(LoadView view) {
        var histogram = HistogramSnapshot.builder()
                .name("kvrouter_load_lag_seconds")
                .help("From a change of load here until a peer's selection saw it, and its answer was back.");
        view.nodes()
                .forEach(peer -> histogram.dataPoint(HistogramDataPointSnapshot.builder()
                        .labels(labels(peer))
                        .classicHistogramBuckets(ClassicHistogramBuckets.of(
                                peer.lag().shownBounds(),
                                Arrays.stream(peer.lag().shownCounts()).boxed().toArray(Long[]::new)))
                        .sum(peer.lag().sumSeconds())
                        .build()));
        return histogram.build();
    }
}
