package io.kvrouter.http.metrics;

import io.kvrouter.cluster.binding.BindingCounts;
import io.kvrouter.cluster.hosted.HostedSessions;
import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.session.Sessions;
import io.kvrouter.cluster.session.Sessions.SessionCounts;
import io.kvrouter.http.failover.Outcomes;
import io.kvrouter.http.failover.Retries;
import io.kvrouter.http.prompt.PromptCounts;
import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.kv.fleet.Partition;
import io.kvrouter.kv.fleet.WorkerKvStatus;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** One node's metrics. Most are read from their owner when they are asked for, so that none can disagree with it. */
public final class NodeMetrics {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Counter answers = Counter.builder()
            .name("kvrouter_answers_total")
            .help("Answers to completion requests, by status and routing decision (none: refused before one).")
            .labelNames("status", "decision")
            .register(registry);

    private final Counter overlapPredicted = Counter.builder()
            .name("kvrouter_overlap_predicted_tokens_total")
            .help("Prompt tokens that should have been cached, of requests whose engine told how many were.")
            .register(registry);
    private final Counter overlapReported = Counter.builder()
            .name("kvrouter_overlap_reported_tokens_total")
            .help("Prompt tokens of the same requests that the engine found cached.")
            .register(registry);
    private final Counter overlapComparisons = Counter.builder()
            .name("kvrouter_overlap_comparisons_total")
            .help("Requests that were compared, by whether the two figures were the same.")
            .labelNames("equal")
            .register(registry);

    /**
     * The metrics of a node.
     *
     * @param node its address, as the others' metrics name it
     */
    public NodeMetrics(String node, LoadDesk desk, Sessions sessions, Supplier<Fleet> fleet) {
        workers(fleet);
        FailoverMetrics.breakers(registry, fleet);
        registry.register(new LoadMetrics(node, desk::view));
        AdmissionMetrics.register(this, registry, desk::admission);
        sessions(sessions::counts);
    }

    /** How this node's bindings reach the others. */
    public void bindings(BindingCounts counts) {
        BindingMetrics.register(this, registry, counts);
    }

    /** Counts an answer; the decision is "none" where the request was refused before one. */
    public void answered(int status, String decision) {
        answers.labelValues(Integer.toString(status), decision).inc();
    }

    /** Compares what this node thought to be cached with what the engine found. */
    public void overlap(long predicted, long reported) {
        overlapPredicted.inc(predicted);
        overlapReported.inc(reported);
        overlapComparisons.labelValues(Boolean.toString(predicted == reported)).inc();
    }

    /** Shows the bound sessions by worker, and the session actors that are here. */
    public void sessions(HostedSessions hosted, Supplier<Map<WorkerId, Long>> bound) {
        SessionMetrics.register(registry, hosted, bound);
    }

    /** What calls said of their workers, and what was tried again. */
    public void failover(Retries retries, Outcomes outcomes) {
        FailoverMetrics.register(registry, retries, outcomes);
    }

    /** Shows what is known of the workers' KV caches. */
    public void caches(Supplier<List<WorkerKvStatus>> workers, Supplier<List<Partition>> partitions) {
        new KvMetrics(registry, workers, partitions).register();
    }

    /** How prompts were read, and what is remembered of their parts. */
    public void tokens(Supplier<PromptCounts> prompts, Supplier<SegmentCache.Counts> segments) {
        CounterWithCallback.builder()
                .name("kvrouter_prompts_total")
                .help("Prompts by how they were read: tokenized here, by an engine, or taken as text.")
                .labelNames("by")
                .callback(out -> {
                    PromptCounts counts = prompts.get();
                    out.call((double) counts.own(), "router");
                    out.call((double) counts.engines(), "engine");
                    out.call((double) counts.texts(), "text");
                })
                .register(registry);
        counter(
                "kvrouter_prompts_busy_total",
                "Prompts taken as text because too many waited for a thread.",
                () -> prompts.get().busy());
        counter(
                "kvrouter_segment_hits_total",
                "Parts of prompts whose tokens were remembered.",
                () -> segments.get().hits());
        counter(
                "kvrouter_segment_misses_total",
                "Parts of prompts that were tokenized.",
                () -> segments.get().misses());
        gauge(
                "kvrouter_segment_bytes",
                "What the tokens of parts take.",
                () -> segments.get().bytes());
    }

    private void workers(Supplier<Fleet> fleet) {
        GaugeWithCallback.builder()
                .name("kvrouter_workers")
                .help("Workers as this node finds them, by state.")
                .labelNames("state")
                .callback(out -> fleet.get().workers().stream()
                        .collect(Collectors.groupingBy(Worker::state, Collectors.counting()))
                        .forEach((state, count) -> out.call(count, state)))
                .register(registry);
    }

    private void sessions(Supplier<SessionCounts> counts) {
        counter(
                "kvrouter_session_asks_total",
                "Questions to session actors.",
                () -> counts.get().asks());
        counter(
                "kvrouter_session_timeouts_total",
                "Decisions that waited for their actor in vain.",
                () -> counts.get().timeouts());
        counter(
                "kvrouter_session_unawaited_total",
                "Decisions that did not wait: the shard was silent.",
                () -> counts.get().unawaited());
        counter(
                "kvrouter_session_late_answers_total",
                "Answers that came after their decision.",
                () -> counts.get().late());
        counter(
                "kvrouter_session_answers_total",
                "Answers of session actors. Questions without one so far are those asked less these.",
                () -> counts.get().answers());
        counter(
                "kvrouter_session_provisional_total",
                "Times that this node remembered where it sent a session whose actor was not heard.",
                () -> counts.get().provisional());
        counter(
                "kvrouter_session_repeated_asks_total",
                "Questions that were sent once more, because no answer had come.",
                () -> counts.get().repeated());
    }

    /** Shows when the first of the node's own certificates ends; empty where it has none. */
    public void tls(Supplier<Optional<Instant>> notAfter) {
        GaugeWithCallback.builder()
                .name("kvrouter_tls_not_after_seconds")
                .help("Unix time at which the first of this node's own certificates in use ends.")
                .callback(out -> notAfter.get().ifPresent(end -> out.call((double) end.getEpochSecond())))
                .register(registry);
    }

    /** Adds metrics that are kept elsewhere. */
    public void register(MultiCollector metrics) {
        registry.register(metrics);
    }

    /** A value that is read when it is asked for. */
    public void gauge(String name, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(out -> out.call(value.getAsDouble()))
                .register(registry);
    }

    /** A count that is read when it is asked for; the name ends with _total. */
    public void counter(String name, String help, LongSupplier value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .callback(out -> out.call((double) value.getAsLong()))
                .register(registry);
    }

    /** All of them, in Prometheus' text format. */
    public String text() {
        var out = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.create().write(out, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
