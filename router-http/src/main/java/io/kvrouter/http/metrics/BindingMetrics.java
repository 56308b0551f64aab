package io.kvrouter.http.metrics;

import io.kvrouter.cluster.binding.BindingCounts;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;

/** Metrics of how this node's bindings reach the others, and of what is forgotten. */
final class BindingMetrics {
    private BindingMetrics() {}

    static void register(NodeMetrics metrics, PrometheusRegistry registry, BindingCounts counts) {
        metrics.counter(
                "kvrouter_binding_rows_total", "Bindings that this node's session actors published.", counts::rows);
        metrics.counter(
                "kvrouter_binding_refreshes_total", "Those of them that only moved a deadline.", counts::refreshes);
        metrics.counter(
                "kvrouter_binding_writes_total", "Messages with bindings, each to all other nodes.", counts::writes);
        metrics.counter(
                "kvrouter_binding_writes_unconfirmed_total",
                "Messages with bindings that some node did not confirm in time.",
                counts::unconfirmedWrites);
        metrics.counter(
                "kvrouter_binding_rows_bounded_total",
                "Bindings that this node dropped because there were too many.",
                counts::boundedRows);
        metrics.counter(
                "kvrouter_binding_rows_swept_total",
                "Bindings that this node dropped past their deadline.",
                counts::sweptRows);
        registry.register(() -> lag(counts.lag()));
    }

    private static MetricSnapshot lag(BindingCounts.Lag lag) {
        var buckets = ClassicHistogramBuckets.builder();
        double[] limits = BindingCounts.Lag.limits();
        long[] counts = lag.counts();
        for (int i = 0; i < counts.length; i++) {
            buckets.bucket(i < limits.length ? limits[i] : Double.POSITIVE_INFINITY, counts[i]);
        }
        return HistogramSnapshot.builder()
                .name("kvrouter_binding_lag_seconds")
                .help("From when a binding was made until all nodes had confirmed it.")
                .dataPoint(new HistogramSnapshot.HistogramDataPointSnapshot(
                        buckets.build(), lag.sum(), Labels.EMPTY, null, 0L))
                .build();
    }
}
