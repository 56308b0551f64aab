package io.kvrouter.http.metrics;

import io.kvrouter.kv.fleet.Partition;
import io.kvrouter.kv.fleet.WorkerKvStatus;
import io.kvrouter.kv.fleet.WorkerKvStatus.RankStatus;
import io.kvrouter.kv.index.KvIndex;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Metrics of the workers' KV events and of the index. The series of a worker that is gone are gone. */
final class KvMetrics {
    private final PrometheusRegistry registry;
    private final Supplier<List<WorkerKvStatus>> workers;
    private final Supplier<List<Partition>> partitions;

    KvMetrics(
            PrometheusRegistry registry, Supplier<List<WorkerKvStatus>> workers, Supplier<List<Partition>> partitions) {
        this.registry = registry;
        this.workers = workers;
        this.partitions = partitions;
    }

    void register() {
        states();
        gauge(
                "blocks",
                "KV blocks that a rank holds, by its events.",
                rank -> rank.stream().blocks());
        gauge(
                "lag",
                "Batches that were heard of and not applied yet.",
                rank -> rank.stream().lag());
        counters();
        index("bytes", "What an index takes of the heap, by its own account.", KvIndex::bytes);
        index("blocks", "KV blocks in an index, counted for each rank that holds them.", KvIndex::blocks);
        index("runs", "Pieces of chains in an index.", KvIndex::runs);
    }

    private void counters() {
        counter("applied", "Events applied.", rank -> rank.stream().events().applied());
        counter(
                "malformed",
                "Events that could not be read.",
                rank -> rank.stream().events().malformed());
        counter(
                "ignored",
                "Events that say nothing for the index.",
                rank -> rank.stream().events().ignored());
        counter(
                "unknown_parents",
                "Stores after an unknown block.",
                rank -> rank.stream().events().unknownParents());
        counter(
                "refused_blocks",
                "Blocks without room in the index.",
                rank -> rank.stream().events().refusedBlocks());
        counter(
                "gaps",
                "Times that batches were missing.",
                rank -> rank.stream().sync().gaps());
        counter(
                "clears",
                "Times that a rank's blocks were dropped.",
                rank -> rank.stream().sync().clears());
    }

    private void states() {
        GaugeWithCallback.builder()
                .name("kvrouter_kv_rank_state")
                .help("1 for the state that a rank's KV events are in.")
                .labelNames("worker", "rank", "state")
                .callback(out -> workers.get()
                        .forEach(worker -> worker.ranks()
                                .forEach(rank -> out.call(
                                        1,
                                        worker.worker().value(),
                                        Integer.toString(rank.source().rank()),
                                        rank.state().text()))))
                .register(registry);
    }

    private void gauge(String what, String help, ToLongFunction<RankStatus> value) {
        GaugeWithCallback.builder()
                .name("kvrouter_kv_rank_" + what)
                .help(help)
                .labelNames("worker", "rank")
                .callback(out -> ranks(value, out::call))
                .register(registry);
    }

    private void counter(String what, String help, ToLongFunction<RankStatus> value) {
        CounterWithCallback.builder()
                .name("kvrouter_kv_events_" + what + "_total")
                .help(help)
                .labelNames("worker", "rank")
                .callback(out -> ranks(value, out::call))
                .register(registry);
    }

    private interface Series {
        void call(double value, String... labels);
    }

    private void ranks(ToLongFunction<RankStatus> value, Series out) {
        workers.get()
                .forEach(worker -> worker.ranks()
                        .forEach(rank -> out.call(
                                (double) value.applyAsLong(rank),
                                worker.worker().value(),
                                Integer.toString(rank.source().rank()))));
    }

    private void index(String what, String help, ToLongFunction<KvIndex> value) {
        GaugeWithCallback.builder()
                .name("kvrouter_kv_index_" + what)
                .help(help)
                .labelNames("group", "model")
                .callback(out -> partitions
                        .get()
                        .forEach(partition -> out.call(
                                (double) value.applyAsLong(partition.index()),
                                partition.key().group(),
                                partition.key().model())))
                .register(registry);
    }
}
