package io.kvrouter.http.metrics;

import io.kvrouter.cluster.hosted.HostedSessions;
import io.kvrouter.cluster.hosted.HostedSessions.End;
import io.kvrouter.worker.WorkerId;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** Metrics of the bound sessions, and of the session actors that are here. */
final class SessionMetrics {
    private SessionMetrics() {}

    static void register(PrometheusRegistry registry, HostedSessions hosted, Supplier<Map<WorkerId, Long>> bound) {
        GaugeWithCallback.builder()
                .name("kvrouter_sessions_bound")
                .help("Sessions bound to a worker, of the whole cluster: every node tells the same. Up to 10 s old.")
                .labelNames("worker")
                .callback(out -> bound.get().forEach((worker, count) -> out.call(count, worker.value())))
                .register(registry);
        GaugeWithCallback.builder()
                .name("kvrouter_session_actors")
                .help("Session actors of this node. The cluster's are the sum over the nodes.")
                .callback(out -> out.call(hosted.size()))
                .register(registry);
        CounterWithCallback.builder()
                .name("kvrouter_sessions_ended_total")
                .help(
                        "Sessions that this node's actors ended: idle for their time-out (expired), the client's last turn"
                                + " (final), the operator's wish (unbound), no worker served their first turn (unserved).")
                .labelNames("how")
                .callback(out -> {
                    for (End how : End.values()) {
                        out.call((double) hosted.ends(how), how.name().toLowerCase(Locale.ROOT));
                    }
                })
                .register(registry);
    }
}
