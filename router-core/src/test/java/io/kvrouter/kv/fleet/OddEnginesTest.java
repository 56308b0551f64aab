package io.kvrouter.kv.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.stream.RankStream;
import io.kvrouter.kv.stream.StreamSettings;
import io.kvrouter.kv.stream.StreamState;
import io.kvrouter.worker.Worker;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What becomes of engines that do not do what they should. */
@NullMarked
class OddEnginesTest extends FollowedFleet {
    private final Worker a = worker("a", 32);
    private final Worker b = worker("b", 16);
    private final Worker c = worker("c", 16);

    @Test
    void mostWorkersDecide() {
        fleet(a, b, c);

        assertThat(partition(a).blockSize()).isEqualTo(16);
        assertThat(state(a)).isEqualTo(StreamState.WRONG_BLOCK_SIZE);
        assertThat(state(b)).isNotEqualTo(StreamState.WRONG_BLOCK_SIZE);
        assertThat(warnings(a)).singleElement().asString().contains("16 tokens").contains("by load only");
        publish(a, 32);
        publish(b, 16);
        assertThat(index(b).blocks()).isEqualTo(1);
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
                worker("p", "default", "m", 0, 7).registration(), facts("m", 16, 1, 7), Worker.Health.UP, List.of());
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
}
