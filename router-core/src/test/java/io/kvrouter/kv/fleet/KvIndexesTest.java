package io.kvrouter.kv.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.stream.StreamSettings;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@NullMarked
class KvIndexesTest extends FollowedFleet {
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

    @Test
    void allIndexesTogetherAreBounded() {
        var a = worker("a", 16);
        var b = worker("b", "blue", "m", 16, 7);
        fleet(a, b);
        long empty = indexes.bytes();
        feeds.clear();
        var small = new KvIndexes(
                new KvFleetSettings(true, 5_557, empty + 40, StreamSettings.DEFAULT),
                new StreamParts(this::feed, payload -> List.of(blocks(payload[0])), () -> now, () -> 0),
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
