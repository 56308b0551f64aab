package io.kvrouter.http.metrics;

import io.kvrouter.failover.Outcome;
import io.kvrouter.http.failover.Outcomes;
import io.kvrouter.http.failover.Retries;
import io.kvrouter.http.failover.Retry;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;
import java.util.function.Supplier;

/** Metrics of workers that fail, and of what this node's requests did then. */
final class FailoverMetrics {
    private static final int CLOSED = 0;
    private static final int TRIAL = 1;
    private static final int OPEN = 2;

    private FailoverMetrics() {}

    static void register(PrometheusRegistry registry, Retries retries, Outcomes outcomes) {
        CounterWithCallback.builder()
                .name("kvrouter_retries_total")
                .help("Times that a request went to another worker, by what the one before did.")
                .labelNames("reason")
                .callback(out -> {
                    for (Retry why : Retry.values()) {
                        out.call((double) retries.count(why), why.text());
                    }
                })
                .register(registry);
        CounterWithCallback.builder()
                .name("kvrouter_retries_denied_total")
                .help("Times that a request did not go to another worker because the budget was spent.")
                .callback(out -> out.call((double) retries.denied()))
                .register(registry);
        outcomes(registry, outcomes);
    }

    private static void outcomes(PrometheusRegistry registry, Outcomes outcomes) {
        CounterWithCallback.builder()
                .name("kvrouter_call_outcomes_total")
                .help("What calls said of their workers: answered, failed, and of those answered broke_off.")
                .labelNames("outcome")
                .callback(out -> {
                    for (Outcome outcome : Outcome.values()) {
                        if (outcome != Outcome.NEUTRAL) {
                            out.call(
                                    (double) outcomes.count(outcome),
                                    outcome.name().toLowerCase(Locale.ROOT));
                        }
                    }
                })
                .register(registry);
    }

    /** By worker: there are as many as are registered. */
    static void breakers(PrometheusRegistry registry, Supplier<Fleet> fleet) {
        GaugeWithCallback.builder()
                .name("kvrouter_worker_breaker")
                .help("A worker's circuit breaker as this node sees it: 0 closed, 1 one request on trial, 2 open.")
                .labelNames("worker")
                .callback(out -> fleet.get()
                        .workers()
                        .forEach(worker -> out.call(state(worker), worker.id().value())))
                .register(registry);
    }

    private static int state(Worker worker) {
        return switch (worker.health()) {
            case BROKEN -> OPEN;
            case TRIAL -> TRIAL;
            case PENDING, UP, DOWN -> CLOSED;
        };
    }
}
