package io.kvrouter.kv.fleet;

import io.kvrouter.kv.event.BlocksStored;
import io.kvrouter.kv.event.Lineage;
import io.kvrouter.kv.event.Placement;
import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.stream.RankStream;
import io.kvrouter.kv.stream.StreamSettings;
import io.kvrouter.kv.stream.StreamState;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.KvEventEndpoints;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.WorkerId;
import io.kvrouter.worker.WorkerKey;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;

/** Engines that publish one block each, and the registry that follows them. */
@NullMarked
abstract class FollowedFleet {
    static final long BLOCKS = 100;

    final Map<RankSource, RankStream> feeds = new LinkedHashMap<>();
    long now = 1_000;
    final KvIndexes indexes = new KvIndexes(
            new KvFleetSettings(false, 5_557, 1 << 20, StreamSettings.DEFAULT),
            new StreamParts(this::feed, payload -> List.of(blocks(payload[0])), () -> now, () -> 0),
            () -> 42);

    EventSources.Feed feed(RankSource source, RankStream stream) {
        feeds.put(source, stream);
        return new EventSources.Feed() {
            @Override
            public void act(Consumer<RankStream> action) {
                action.accept(stream);
            }

            @Override
            public void close() {
                feeds.remove(source, stream);
                stream.close();
            }
        };
    }

    static BlocksStored blocks(int size) {
        return new BlocksStored(new long[] {BLOCKS}, new int[size], size, Lineage.ROOT, Placement.DEVICE);
    }

    static Worker worker(String id, String group, String model, int blockSize, long incarnation) {
        return new Worker(
                new Registration(
                        new WorkerId(id),
                        URI.create("http://" + id + ":8000"),
                        group,
                        facts(model, blockSize, 1, incarnation),
                        Map.of(),
                        false,
                        Registration.Origin.API),
                EngineFacts.UNKNOWN,
                Worker.Health.UP,
                List.of());
    }

    static EngineFacts facts(String model, int blockSize, int ranks, long incarnation) {
        return new EngineFacts(
                Set.of(model),
                Set.of(),
                blockSize == 0 ? Optional.empty() : Optional.of(blockSize),
                Optional.empty(),
                Optional.of(ranks),
                incarnation == 0 ? Optional.empty() : Optional.of(incarnation),
                Optional.of(KvEventEndpoints.DERIVED));
    }

    static Worker worker(String id, int blockSize) {
        return worker(id, "default", "m", blockSize, 7);
    }

    void fleet(Worker... workers) {
        var unused = indexes.fleet(new Fleet(List.of(workers)));
    }

    Optional<CacheOf> cache(Worker worker) {
        return indexes.view().of(WorkerKey.of(worker, 0));
    }

    KvIndex index(Worker worker) {
        return partition(worker).index();
    }

    Partition partition(Worker worker) {
        return indexes.partitions().stream()
                .filter(partition -> PartitionKey.of(worker).equals(Optional.of(partition.key())))
                .findFirst()
                .orElseThrow();
    }

    StreamState state(Worker worker) {
        return indexes.status().stream()
                .filter(status -> status.worker().equals(worker.id()))
                .findFirst()
                .orElseThrow()
                .ranks()
                .getFirst()
                .state();
    }

    /** The worker's engine publishes one block. */
    void publish(Worker worker, int size) {
        RankStream stream = feeds.entrySet().stream()
                .filter(feed -> feed.getKey().worker().equals(worker.id()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
        stream.ask(now);
        stream.replayed(0, new byte[] {(byte) size}, now);
        stream.replayEnded(now);
        stream.ask(now);
    }

    List<String> warnings(Worker worker) {
        return indexes.status().stream()
                .filter(status -> status.worker().equals(worker.id()))
                .flatMap(status -> status.warnings().stream())
                .toList();
    }
}
