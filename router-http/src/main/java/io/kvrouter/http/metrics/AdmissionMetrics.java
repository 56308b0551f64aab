package io.kvrouter.http.metrics;

import io.kvrouter.admission.AdmissionView;
import io.kvrouter.admission.Shed;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;
import java.util.function.Supplier;

/** Metrics of who runs, who waits and who was sent away. All are 0 where nothing has a cap. */
final class AdmissionMetrics {
    private static final double MS = 1_000;

    private AdmissionMetrics() {}

    static void register(NodeMetrics metrics, PrometheusRegistry registry, Supplier<AdmissionView> view) {
        GaugeWithCallback.builder()
                .name("kvrouter_admission_waiting")
                .help("Requests that wait: at the door with their body unread, or for a worker that is full.")
                .labelNames("at")
                .callback(out -> {
                    AdmissionView now = view.get();
                    out.call(now.waitingAtDoor(), "door");
                    out.call(now.waitingForWorker(), "worker");
                })
                .register(registry);
        CounterWithCallback.builder()
                .name("kvrouter_admission_sent_away_total")
                .help("Requests that were not let in: queue_full 429, deadline 503, left while they waited.")
                .labelNames("reason")
                .callback(out -> {
                    AdmissionView now = view.get();
                    for (Shed.Why why : Shed.Why.values()) {
                        out.call((double) now.counts().of(why), why.name().toLowerCase(Locale.ROOT));
                    }
                })
                .register(registry);
        numbers(metrics, view);
    }

    private static void numbers(NodeMetrics metrics, Supplier<AdmissionView> view) {
        metrics.gauge(
                "kvrouter_admission_inside",
                "Requests that hold a permit.",
                () -> view.get().inside());
        metrics.gauge(
                "kvrouter_admission_longest_wait_seconds",
                "How long the request has waited that has waited longest.",
                () -> view.get().longestWaitMs() / MS);
        metrics.gauge(
                "kvrouter_admission_drain_per_second",
                "Permits that come free in a second, by how long requests hold them.",
                () -> view.get().drainPerSecond());
        metrics.counter(
                "kvrouter_admission_waited_total",
                "Requests that went on after a wait.",
                () -> view.get().counts().waited());
        metrics.counter(
                "kvrouter_admission_waited_milliseconds_total",
                "How long they had waited, together.",
                () -> view.get().counts().waitedMs());
    }
}
