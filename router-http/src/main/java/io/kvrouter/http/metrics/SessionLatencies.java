package io.kvrouter.http.metrics;

import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

/** How long sessions make turns wait, as histograms whose differences between two scrapes tell of the time between. */
public final class SessionLatencies implements MultiCollector {
    private static final double NANOS = 1e9;

    /** Seconds: fine below 10 ms, where a quiet cluster is, and round the 250 ms that a decision may wait. */
    private static final double[] BOUNDS = {
        0.000_05, 0.000_1, 0.000_2, 0.000_3, 0.000_5, 0.000_75, 0.001, 0.001_5, 0.002, 0.003, 0.004, 0.005, 0.006,
        0.008, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.225, 0.25, 0.275, 0.3, 0.4, 0.5, 1, 2, 5, 10
    };

    private final Histogram resolve = Histogram.builder()
            .name("kvrouter_session_resolve_seconds")
            .help("From a request read until its worker is decided and booked, by routing decision.")
            .labelNames("decision")
            .classicOnly()
            .classicUpperBounds(BOUNDS)
            .build();
    private final Histogram asks = Histogram.builder()
            .name("kvrouter_session_ask_seconds")
            .help("Until a session's actor answered, late answers included, by where it lives: local or remote.")
            .labelNames("where")
            .classicOnly()
            .classicUpperBounds(BOUNDS)
            .build();

    /** A turn's worker was decided. */
    public void resolved(String decision, long nanos) {
        resolve.labelValues(decision).observe(nanos / NANOS);
    }

    /** A session's actor answered. */
    public void asked(boolean here, long nanos) {
        asks.labelValues(here ? "local" : "remote").observe(nanos / NANOS);
    }

    @Override
    public MetricSnapshots collect() {
        return MetricSnapshots.of(resolve.collect(), asks.collect());
    }
}
