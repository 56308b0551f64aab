package io.kvrouter.kv.stream;

import static io.kvrouter.kv.stream.FakeEngine.removed;
import static io.kvrouter.kv.stream.FakeEngine.stored;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.event.BlocksStored;
import io.kvrouter.kv.event.KvEvent;
import io.kvrouter.kv.event.Lineage;
import io.kvrouter.kv.event.Placement;
import io.kvrouter.kv.stream.FakeEngine.Message;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** A stream that is up to date, and what may happen then. */
@NullMarked
class StreamFollowingTest extends FollowedEngine {
    StreamFollowingTest() {
        engine.answer(stream, NOW);
        live(engine.publish(stored(null, 1, 2)));
    }

    @Test
    void replaysAGap() {
        engine.publish(stored(2L, 3));
        live(engine.publish(stored(3L, 4)));
        assertThat(stream.state()).isEqualTo(StreamState.SYNCING);

        engine.answer(stream, NOW);

        assertThat(held(1, 2, 3, 4)).isEqualTo(4);
        assertThat(status().sync()).isEqualTo(new SyncCounts(1, 0, 0, 0, 0));
        assertThat(stream.state()).isEqualTo(StreamState.LIVE);
    }

    @Test
    void clearsAndIsSuspectWhenTheGapComesBackShort() {
        engine.publish(removed(2));
        live(engine.publish(stored(null, 8)));
        engine.forgetBefore(2);

        engine.answer(stream, NOW);

        assertThat(held(1, 2)).isZero();
        assertThat(held(8)).isEqualTo(1);
        assertThat(stream.state()).isEqualTo(StreamState.SUSPECT);
        assertThat(status().sync()).isEqualTo(new SyncCounts(1, 1, 0, 0, 0));
    }

    @Test
    void staysSuspectUntilTheEngineResetsItsCache() {
        engine.publish(stored(2L, 3));
        live(engine.publish(stored(null, 8)));
        engine.forgetBefore(2);
        engine.answer(stream, NOW);
        live(engine.publish(stored(8L, 9)));
        assertThat(stream.state()).isEqualTo(StreamState.SUSPECT);

        live(engine.publish(new KvEvent.AllCleared(), stored(null, 5)));

        assertThat(stream.state()).isEqualTo(StreamState.LIVE);
        assertThat(held(5)).isEqualTo(1);
        assertThat(held(8)).isZero();
    }

    @Test
    void asksOnWhenTheEngineDropsAnswers() {
        for (int i = 3; i < 10; i++) {
            engine.publish(stored(i - 1L, i));
        }
        live(engine.publish(stored(9L, 10)));
        var answers = engine.replay(stream.ask(NOW));
        answers.subList(0, 4).forEach(message -> stream.replayed(message.sequence(), message.payload(), NOW));
        answers.subList(6, 9).forEach(message -> stream.replayed(message.sequence(), message.payload(), NOW));

        engine.answer(stream, NOW);

        assertThat(held(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)).isEqualTo(10);
        assertThat(status().sync().clears()).isZero();
    }

    @Test
    void startsAnewWhenTheEngineCountsFromZeroAgain() {
        live(engine.publish(stored(2L, 3)));
        engine.restart();

        live(engine.publish(stored(null, 7)));

        assertThat(held(1, 2, 3)).isZero();
        assertThat(held(7)).isEqualTo(1);
        assertThat(status().sync()).isEqualTo(new SyncCounts(0, 1, 1, 0, 0));
        assertThat(stream.state()).isEqualTo(StreamState.LIVE);
    }

    @Test
    void readsFromZeroAgainWhenItMissedTheRestart() {
        live(engine.publish(stored(2L, 3)));
        engine.restart();
        engine.publish(stored(null, 7));

        live(engine.publish(stored(7L, 8)));
        assertThat(held(1, 2, 3)).isZero();
        engine.answer(stream, NOW);

        assertThat(held(7, 8)).isEqualTo(2);
        assertThat(stream.state()).isEqualTo(StreamState.LIVE);
    }

    @Test
    void noticesARestartedEngineThatIsAlreadyAhead() {
        engine.restart();
        engine.publish(stored(null, 7));
        engine.publish(stored(7L, 8));
        live(engine.publish(stored(8L, 9)));

        engine.answer(stream, NOW);

        assertThat(held(1, 2)).isZero();
        assertThat(held(7, 8, 9)).isEqualTo(3);
        assertThat(status().sync().restarts()).isEqualTo(1);
    }

    @Test
    void noticesARestartedEngineWhoseNumbersFit() {
        engine.restart();
        stream.interrupted();
        engine.publish(stored(null, 7));

        live(engine.publish(stored(7L, 8)));
        engine.answer(stream, NOW);

        assertThat(held(1, 2)).isZero();
        assertThat(held(7, 8)).isEqualTo(2);
    }

    @Test
    void losesNothingWhenOnlyTheConnectionBroke() {
        engine.publish(stored(2L, 3));
        stream.interrupted();

        live(engine.publish(stored(3L, 4)));
        engine.answer(stream, NOW);

        assertThat(held(1, 2, 3, 4)).isEqualTo(4);
        assertThat(status().sync().clears()).isZero();
    }

    @Test
    void noticesARestartedEngineThatPublishesNothing() {
        engine.restart();

        engine.answer(stream, NOW + SETTINGS.idleCheck());

        assertThat(held(1, 2)).isZero();
        assertThat(stream.state()).isEqualTo(StreamState.LIVE);
    }

    @Test
    void findsTheLastBatchOfABurstThoughNothingFollowedIt() {
        engine.publish(stored(2L, 3));

        engine.answer(stream, NOW + SETTINGS.idleCheck());

        assertThat(held(1, 2, 3)).isEqualTo(3);
    }

    @Test
    void takesABatchOnceHoweverOftenItComes() {
        var message = engine.publish(stored(2L, 3));
        for (int i = 0; i < 1_000; i++) {
            live(message);
        }
        live(engine.publish(removed(3)));

        assertThat(held(1, 2, 3)).isEqualTo(2);
        assertThat(status().sync()).isEqualTo(new SyncCounts(0, 0, 0, 0, 999));
    }

    @Test
    void putsReorderedBatchesIntoTheirOrder() {
        var first = engine.publish(stored(2L, 3));
        var second = engine.publish(stored(3L, 4));
        live(second);
        live(first);

        engine.answer(stream, NOW);

        assertThat(held(1, 2, 3, 4)).isEqualTo(4);
        assertThat(status().sync().clears()).isZero();
    }

    @Test
    void readsEverythingAgainWhenAParentIsUnknown() {
        var silent = engine.publish(stored(2L, 3));
        engine.decode(silent.payload());
        stream.live(silent.sequence(), new Message(silent.sequence(), 99).payload(), NOW);

        live(engine.publish(stored(3L, 4)));
        engine.answer(stream, NOW);

        assertThat(held(1, 2, 3, 4)).isEqualTo(4);
        assertThat(status().events().unknownParents()).isEqualTo(1);
        assertThat(stream.state()).isEqualTo(StreamState.LIVE);
    }

    @Test
    void readsOnlyOnceForAParentThatTheEngineNeverStored() {
        live(engine.publish(stored(77L, 78)));
        engine.answer(stream, NOW);

        live(engine.publish(stored(78L, 79)));

        assertThat(stream.ask(NOW)).isEqualTo(RankStream.NONE);
        assertThat(stream.state()).isEqualTo(StreamState.SUSPECT);
        assertThat(held(1, 2)).isEqualTo(2);
    }

    @Test
    void neverClearsBecauseOfAMalformedEvent() {
        live(engine.publish(new KvEvent.Malformed(), stored(2L, 3)));
        live(engine.publish(stored(55L, 56)));

        assertThat(stream.ask(NOW)).isEqualTo(RankStream.NONE);
        assertThat(held(1, 2, 3)).isEqualTo(3);
        assertThat(status().events().malformed()).isEqualTo(1);
        assertThat(status().sync().clears()).isZero();
    }

    @Test
    void ignoresBlocksOfAnotherSizeVisibly() {
        live(engine.publish(
                new BlocksStored(new long[] {9}, new int[8], 8, new Lineage(2L, "", List.of()), Placement.DEVICE)));

        assertThat(stream.state()).isEqualTo(StreamState.WRONG_BLOCK_SIZE);
        assertThat(status().events().wrongBlockSize()).isEqualTo(1);
        assertThat(stream.status().engineBlockSize()).isEqualTo(8);
    }

    @Test
    void leavesTheIndexWhenItIsClosed() {
        stream.close();

        assertThat(index.blocks()).isZero();
    }
}
