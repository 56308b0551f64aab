package io.kvrouter.kv.fleet;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@NullMarked
class KvIndexesTest {
    private static final long BLOCKS = 100;

    private final Map<RankSource, RankStream> feeds = new LinkedHashMap<>();
    private long now = 1_000;
    private final KvIndexes indexes = new KvIndexes(
            new KvFleetSettings(false, 5_557, 1 << 20, StreamSettings.DEFAULT),
            new StreamParts(this::feed, payload -> List.of(blocks(payload[0])), () -> now),
            () -> 42);

    private EventSources.Feed feed(RankSource source, RankStream stream) {
        feeds.put(source, stream);
        return () -> {
            feeds.remove(source, stream);
            stream.close();
        };
    }

    private static BlocksStored blocks(int size) {
        return new BlocksStored(new long[] {BLOCKS}, new int[size], size, Lineage.ROOT, Placement.DEVICE);
    }

    private static Worker worker(String id, String group, String model, int blockSize, long incarnation) {
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

    private static EngineFacts facts(String model, int blockSize, int ranks, long incarnation) {
        return new EngineFacts(
                Set.of(model),
                Set.of(),
                blockSize == 0 ? Optional.empty() : Optional.of(blockSize),
                Optional.empty(),
                Optional.of(ranks),
                incarnation == 0 ? Optional.empty() : Optional.of(incarnation),
                Optional.of(KvEventEndpoints.DERIVED));
    }

    private static Worker worker(String id, int blockSize) {
        return worker(id, "default", "m", blockSize, 7);
    }

    private void fleet(Worker... workers) {
        var unused = indexes.fleet(new Fleet(List.of(workers)));
    }

    private Optional<CacheOf> cache(Worker worker) {
        return indexes.view().of(WorkerKey.of(worker, 0));
    }

    private KvIndex index(Worker worker) {
        return partition(worker).index();
    }

    private Partition partition(Worker worker) {
        return indexes.partitions().stream()
                .filter(partition -> PartitionKey.of(worker).equals(Optional.of(partition.key())))
                .findFirst()
                .orElseThrow();
    }

    private StreamState state(Worker worker) {
        return indexes.status().stream()
                .filter(status -> status.worker().equals(worker.id()))
                .findFirst()
                .orElseThrow()
                .ranks()
                .getFirst()
                .state();
    }

    /** The worker's engine publishes one block. */
    private void publish(Worker worker, int size) {
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

    private List<String> warnings(Worker worker) {
        return indexes.status().stream()
                .filter(status -> status.worker().equals(worker.id()))
                .flatMap(status -> status.warnings().stream())
                .toList();
    }

    @Test
    void workersOfOneGroupAndModelShareAnIndex() {
        var a = worker("a", 16);
        var b = worker("b", 16);
        var otherGroup = worker("c", "blue", "m", 16, 7);
        var otherModel = worker("d", "default", "n", 16, 7);

        fleet(a, b, otherGroup, otherModel);

        Stream.of(a, b, otherGroup, otherModel).forEach(worker -> publish(worker, 16));

        assertThat(cache(a).orElseThrow().index())
                .isSameAs(cache(b).orElseThrow().index());
        assertThat(cache(a).orElseThrow().number())
                .isNotEqualTo(cache(b).orElseThrow().number());
        assertThat(Stream.of(a, otherGroup, otherModel)
                        .map(worker -> cache(worker).orElseThrow().index()))
                .doesNotHaveDuplicates();
        assertThat(indexes.partitions()).hasSize(3);
    }

    @Test
    void aWorkerWithoutEventsOrModelsIsNotFollowed() {
        var silent = new Worker(
                Registration.ofStatic(URI.create("http://h:1")), EngineFacts.UNKNOWN, Worker.Health.UP, List.of());
        fleet(silent);

        assertThat(feeds).isEmpty();
        assertThat(cache(silent)).isEmpty();
        assertThat(indexes.status()).isEmpty();
    }

    @Test
    void whatARemovedWorkerHeldIsGone() {
        var a = worker("a", 16);
        var b = worker("b", 16);
        fleet(a, b);
        publish(a, 16);
        publish(b, 16);
        KvIndex index = index(a);
        assertThat(index.blocks()).isEqualTo(2);

        fleet(b);

        assertThat(index.blocks()).isEqualTo(1);
        assertThat(cache(a)).isEmpty();
        assertThat(feeds).hasSize(1);
    }

    @Test
    void theViewChangesWithTheMappingOnly() {
        fleet(worker("a", 16));
        var before = indexes.view();

        fleet(worker("a", 16));
        publish(worker("a", 16), 16);
        assertThat(indexes.view()).isSameAs(before);
        fleet(worker("a", 16), worker("b", 16));

        assertThat(indexes.view().version()).isGreaterThan(before.version());
    }

    @Nested
    class Lives {
        private final Worker first = worker("a", "default", "m", 16, 7);

        @Test
        void anotherLifeOfAnEngineStartsEmpty() {
            fleet(first);
            publish(first, 16);
            var second = worker("a", "default", "m", 16, 8);

            fleet(second);

            assertThat(index(second).blocks()).isZero();
            assertThat(cache(first)).isEmpty();
        }

        @Test
        void toLearnWhichLifeItIsLosesNothing() {
            var unknown = worker("a", "default", "m", 16, 0);
            fleet(unknown);
            publish(unknown, 16);

            fleet(first);
            assertThat(index(first).blocks()).isEqualTo(1);
            var second = worker("a", "default", "m", 16, 8);
            fleet(second);

            assertThat(index(second).blocks()).isZero();
        }
    }

    @Nested
    class BlockSizesOfAPartition {
        private final Worker a = worker("a", 32);
        private final Worker b = worker("b", 16);
        private final Worker c = worker("c", 16);

        @Test
        void mostWorkersDecide() {
            fleet(a, b, c);

            assertThat(partition(a).blockSize()).isEqualTo(16);
            assertThat(state(a)).isEqualTo(StreamState.WRONG_BLOCK_SIZE);
            assertThat(state(b)).isNotEqualTo(StreamState.WRONG_BLOCK_SIZE);
            assertThat(warnings(a))
                    .singleElement()
                    .asString()
                    .contains("16 tokens")
                    .contains("by load only");
        }

        @Test
        void theLowestWorkerDecidesATie() {
            fleet(a, b);

            assertThat(partition(b).blockSize()).isEqualTo(32);
            assertThat(state(b)).isEqualTo(StreamState.WRONG_BLOCK_SIZE);
        }

        @Test
        void whatTheEventsSayCountsMoreThanWhatTheEngineSays() {
            var probed = new Worker(
                    worker("p", "default", "m", 0, 7).registration(),
                    facts("m", 16, 1, 7),
                    Worker.Health.UP,
                    List.of());
            fleet(probed);
            publish(probed, 8);
            assertThat(state(probed)).isEqualTo(StreamState.WRONG_BLOCK_SIZE);

            var completed = indexes.tick().orElseThrow();
            assertThat(completed.worker(probed.id()).orElseThrow().blockSize()).isEqualTo(8);
            assertThat(indexes.tick()).isEmpty();
            publish(probed, 8);

            assertThat(partition(probed).blockSize()).isEqualTo(8);
            assertThat(state(probed)).isEqualTo(StreamState.LIVE);
            assertThat(index(probed).blocks()).isEqualTo(1);
        }

        @Test
        void aStatedSizeThatTheEventsContradictIsAnError() {
            fleet(b);
            publish(b, 8);

            assertThat(state(b)).isEqualTo(StreamState.WRONG_BLOCK_SIZE);
            assertThat(partition(b).blockSize()).isEqualTo(16);
            assertThat(warnings(b)).singleElement().asString().contains("but 8");
        }

        @Test
        void aNewMajorityStartsTheIndexAnew() {
            fleet(a);
            var before = index(a);

            fleet(a, b, c);

            assertThat(index(a)).isNotSameAs(before);
            assertThat(feeds).hasSize(3);
        }
    }

    @Nested
    class Warnings {
        @Test
        void tellOfAWorkerThatPublishesNothing() {
            var a = worker("a", 16);
            fleet(a);
            now += StreamSettings.DEFAULT.silence();
            feeds.values().forEach(stream -> stream.ask(now));

            assertThat(state(a)).isEqualTo(StreamState.SILENT);
            assertThat(warnings(a)).singleElement().asString().contains("tcp://a:5557");
        }

        @Test
        void tellOfLostEvents() {
            var a = worker("a", 16);
            fleet(a);
            RankStream stream = feeds.values().iterator().next();
            stream.ask(now);
            stream.replayed(3, new byte[] {16}, now);
            stream.replayEnded(now);

            assertThat(warnings(a)).singleElement().asString().contains("lost for good");
        }

        @Test
        void areAbsentWhenAllIsWell() {
            var a = worker("a", 16);
            fleet(a);
            publish(a, 16);

            assertThat(warnings(a)).isEmpty();
            assertThat(indexes.status().getFirst().blocks()).isEqualTo(1);
        }
    }

    @Test
    void allIndexesTogetherAreBounded() {
        var a = worker("a", 16);
        var b = worker("b", "blue", "m", 16, 7);
        fleet(a, b);
        long empty = indexes.bytes();
        feeds.clear();
        var small = new KvIndexes(
                new KvFleetSettings(true, 5_557, empty + 40, StreamSettings.DEFAULT),
                new StreamParts(this::feed, payload -> List.of(blocks(payload[0])), () -> now),
                () -> 42);
        var unused = small.fleet(new Fleet(List.of(a, b)));
        publish(a, 16);
        publish(b, 16);

        assertThat(small.status()).extracting(WorkerKvStatus::blocks).containsExactlyInAnyOrder(0L, 1L);
    }

    @Test
    void nothingIsLeftWhenItIsClosed() {
        fleet(worker("a", 16), worker("b", 16));

        indexes.close();

        assertThat(feeds).isEmpty();
        assertThat(indexes.bytes()).isZero();
    }
}
