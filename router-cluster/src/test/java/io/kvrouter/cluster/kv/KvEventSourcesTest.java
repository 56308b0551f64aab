package io.kvrouter.cluster.kv;

import static io.kvrouter.cluster.kv.Packed.array;
import static io.kvrouter.cluster.kv.Packed.batch;
import static io.kvrouter.cluster.kv.Polling.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.event.CacheWriter;
import io.kvrouter.kv.fleet.EventSources.Feed;
import io.kvrouter.kv.fleet.RankSource;
import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.stream.RankStream;
import io.kvrouter.kv.stream.StreamSettings;
import io.kvrouter.kv.stream.StreamState;
import io.kvrouter.worker.WorkerId;
import java.lang.Thread.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@NullMarked
class KvEventSourcesTest {
    private static final StreamSettings SETTINGS = new StreamSettings(1_000, 300, 1_000, 1 << 20);
    /** For what must not be lost on however slow a machine: a replay that takes long has not failed. */
    private static final StreamSettings PATIENT = new StreamSettings(60_000, 300, 60_000, 8 << 20);

    private final KvIndex index = new KvIndex(64 << 20, 5);
    private final KvEventSources sources = new KvEventSources(2);
    private final List<AutoCloseable> started = new ArrayList<>(List.of(sources));

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable part : started.reversed()) {
            part.close();
        }
    }

    private TestPublisher started(TestPublisher publisher) {
        started.add(publisher);
        return publisher;
    }

    private RankStream stream(StreamSettings settings) {
        var writer = new CacheWriter(index.open(), 2, () -> false);
        return new RankStream(writer, new MsgpackEvents(), settings, true, KvEventSources.clock());
    }

    private static RankSource source(TestPublisher publisher) {
        return new RankSource(new WorkerId("w1"), 0, publisher.endpoint(), Optional.of(publisher.replayEndpoint()));
    }

    private RankStream follow(TestPublisher publisher) {
        RankStream stream = stream(SETTINGS);
        sources.open(source(publisher), stream);
        return stream;
    }

    /** The n-th block of one chain. */
    private static byte[] block(int number) {
        Long parent = number == 0 ? null : (Long) (long) number - 1;
        return batch(array("BlockStored", List.of((long) number), parent, List.of(number, number + 1), 2, null));
    }

    private void eventuallyHolds(long blocks) {
        eventually(() -> index.blocks() == blocks);
    }

    @Test
    void waitsWhereThereIsNothingToRead() {
        List<Thread> readers = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("kvrouter-kv-events-"))
                .toList();

        assertThat(readers)
                .isNotEmpty()
                .allSatisfy(reader -> eventually(() -> reader.getState() == State.TIMED_WAITING));
    }

    @Test
    void followsFromBeforeItConnected() {
        var publisher = started(TestPublisher.start());
        for (int i = 0; i < 50; i++) {
            publisher.publish(block(i));
        }
        RankStream stream = follow(publisher);
        eventuallyHolds(50);

        for (int i = 50; i < 100; i++) {
            publisher.publish(block(i));
        }

        eventuallyHolds(100);
        eventually(() -> stream.state() == StreamState.LIVE);
    }

    @Test
    void readsAnswersWithATopic() {
        var publisher = started(TestPublisher.startWithTopic());
        publisher.publish(block(0));

        RankStream stream = follow(publisher);

        eventuallyHolds(1);
        eventually(() -> stream.state() == StreamState.LIVE);
    }

    @Test
    void replaysWhatWasLostOnTheWay() {
        var publisher = started(TestPublisher.start());
        RankStream stream = follow(publisher);
        publisher.publish(block(0));
        eventuallyHolds(1);
        publisher.lose(block(1));
        publisher.lose(block(2));
        publisher.publish(block(3));

        eventuallyHolds(4);
        assertThat(stream.status().sync().clears()).isZero();
    }

    @Test
    void findsALossThatNothingFollows() {
        var publisher = started(TestPublisher.start());
        follow(publisher);
        publisher.publish(block(0));
        eventuallyHolds(1);

        publisher.lose(block(1));

        eventuallyHolds(2);
    }

    @Test
    void isSuspectWhenTheReplayIsShort() {
        var publisher = started(TestPublisher.start());
        for (int i = 0; i < 10; i++) {
            publisher.publish(block(i));
        }
        publisher.publish(batch(array("BlockStored", List.of(77L), null, List.of(7, 7), 2, null)));
        publisher.forget(5);

        RankStream stream = follow(publisher);

        eventually(() -> stream.state() == StreamState.SUSPECT);
        eventuallyHolds(1);
    }

    @Test
    void startsAnewWithARestartedEngine() {
        var first = TestPublisher.start();
        RankStream stream = follow(first);
        for (int i = 0; i < 20; i++) {
            first.publish(block(i));
        }
        eventuallyHolds(20);
        first.close();
        var second = started(first.restarted());
        second.publish(block(0));

        eventuallyHolds(1);
        eventually(() -> stream.state() == StreamState.LIVE);
        second.publish(block(1));
        eventuallyHolds(2);
    }

    @Test
    void asksAgainAsSoonAsTheConnectionBreaks() {
        var first = TestPublisher.start();
        first.publish(block(0));
        sources.open(source(first), stream(new StreamSettings(1_000, 600_000, 1_000, 1 << 20)));
        eventuallyHolds(1);
        first.close();

        var second = started(first.restarted());

        eventuallyHolds(0);
        assertThat(second.questions()).isPositive();
    }

    @Test
    void connectsWhenTheEngineComesLater() {
        var gone = TestPublisher.start();
        RankStream stream = follow(gone);
        gone.close();
        eventually(() -> stream.state() == StreamState.SILENT || stream.state() == StreamState.LIVE);

        var back = started(gone.restarted());
        back.publish(block(0));

        eventuallyHolds(1);
    }

    @Test
    void losesNothingOfABurstForGood() {
        var publisher = started(TestPublisher.start());
        RankStream stream = stream(PATIENT);
        sources.open(source(publisher), stream);
        for (int i = 0; i < 30_000; i++) {
            publisher.publish(block(i));
        }

        eventuallyHolds(30_000);
        eventually(() -> stream.state() == StreamState.LIVE);
        assertThat(stream.status().sync().clears()).isZero();
    }

    @Test
    void whatIsNoMessageIsCounted() {
        var publisher = started(TestPublisher.start());
        RankStream stream = follow(publisher);
        publisher.publish(block(0));
        eventuallyHolds(1);
        publisher.sendRaw(new byte[] {1});
        publisher.sendRaw(new byte[] {1}, new byte[] {2}, new byte[] {3});
        publisher.publish(block(1));

        eventuallyHolds(2);
        eventually(() -> stream.status().events().malformed() == 2);
        assertThat(stream.status().sync().clears()).isZero();
    }

    @Test
    void eachRankHasAStreamOfItsOwn() {
        var healthy = started(TestPublisher.start());
        var dead = TestPublisher.start();
        dead.close();
        RankStream silent = follow(dead);
        RankStream live = follow(healthy);
        healthy.publish(block(0));

        eventuallyHolds(1);
        eventually(() -> live.state() == StreamState.LIVE);
        eventually(() -> silent.state() == StreamState.SILENT);
    }

    @Test
    void aClosedFeedTakesItsBlocksAlong() {
        var publisher = started(TestPublisher.start());
        publisher.publish(block(0));
        Feed feed = sources.open(source(publisher), stream(SETTINGS));
        eventuallyHolds(1);

        feed.close();

        eventuallyHolds(0);
        publisher.publish(block(1));
    }
}
