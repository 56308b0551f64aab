package io.kvrouter.kv.stream;

import static io.kvrouter.kv.stream.FakeEngine.removed;
import static io.kvrouter.kv.stream.FakeEngine.stored;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.event.BlockKeys;
import io.kvrouter.kv.event.BlocksStored;
import io.kvrouter.kv.event.CacheWriter;
import io.kvrouter.kv.event.Lineage;
import io.kvrouter.kv.event.Placement;
import io.kvrouter.kv.index.KvIndex;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** A node that joins begins with what another one knows of the engine. */
@NullMarked
class StreamSnapshotTest extends FollowedEngine {
    private static final long UNTIL = NOW + 10_000;

    private final KvIndex joinersIndex = new KvIndex(1 << 20, 9);
    private final RankStream joiner = joiner(true);

    StreamSnapshotTest() {
        engine.answer(stream, NOW);
        live(engine.publish(stored(null, 1, 2)));
        live(engine.publish(stored(2L, 3)));
        joiner.hold(UNTIL);
    }

    private RankStream joiner(boolean replayable) {
        var writer = new CacheWriter(joinersIndex.open(), FakeEngine.BLOCK_SIZE, () -> false);
        return new RankStream(writer, engine::decode, SETTINGS, replayable, NOW);
    }

    private void both(FakeEngine.Message message) {
        live(message);
        joiner.live(message.sequence(), message.payload(), NOW);
    }

    @Test
    void asksTheEngineForNothingWhileItWaits() {
        assertThat(joiner.ask(NOW)).isEqualTo(RankStream.NONE);
        assertThat(joiner.wantsHelp()).isTrue();
        assertThat(joiner.state()).isEqualTo(StreamState.SYNCING);
    }

    @Test
    void beginsWithTheSnapshotAndReadsWhatFollowedIt() {
        engine.forgetBefore(1);
        RankSnapshot snapshot = stream.export();
        both(engine.publish(stored(3L, 4)));

        joiner.restore(snapshot, NOW);
        engine.answer(joiner, NOW);
        both(engine.publish(removed(4)));

        assertThat(joinersIndex.blocks()).isEqualTo(3);
        assertThat(joiner.state()).isEqualTo(StreamState.LIVE);
        assertThat(joiner.status().sync()).isEqualTo(SyncCounts.NONE);
        assertThat(joiner.wantsHelp()).isFalse();
    }

    @Test
    void needsNoReplayWhenItHeardWhatFollowed() {
        RankStream deaf = joiner(false);
        deaf.hold(UNTIL);
        var message = engine.publish(stored(3L, 4));
        live(message);
        deaf.live(message.sequence(), message.payload(), NOW);
        RankSnapshot snapshot = stream.export();

        deaf.restore(snapshot, NOW);

        assertThat(deaf.state()).isEqualTo(StreamState.LIVE);
        assertThat(joinersIndex.blocks()).isEqualTo(4);
    }

    @Test
    void startsAnewWhenTheEngineIsAnotherThanInTheSnapshot() {
        RankSnapshot snapshot = stream.export();
        engine.restart();
        engine.publish(stored(null, 8));
        engine.publish(stored(8L, 9));
        engine.publish(stored(9L, 10));
        engine.publish(stored(10L, 11));

        joiner.restore(snapshot, NOW);
        engine.answer(joiner, NOW);

        assertThat(joinersIndex.blocks()).isEqualTo(4);
        assertThat(joiner.status().sync().restarts()).isEqualTo(1);
    }

    @Test
    void readsEverythingFromTheEngineWhenNobodyKnowsMore() {
        joiner.letGo(NOW);
        engine.answer(joiner, NOW);

        assertThat(joinersIndex.blocks()).isEqualTo(3);
    }

    @Test
    void waitsNoLongerThanItShould() {
        engine.answer(joiner, UNTIL);

        assertThat(joinersIndex.blocks()).isEqualTo(3);
        joiner.restore(stream.export(), UNTIL);
        assertThat(joiner.state()).isEqualTo(StreamState.LIVE);
    }

    @Test
    void aStreamThatLostBatchesIsHealed() {
        engine.forgetBefore(1);
        joiner.letGo(NOW);
        engine.answer(joiner, NOW);
        assertThat(joiner.state()).isEqualTo(StreamState.SUSPECT);
        assertThat(joiner.wantsHelp()).isTrue();

        joiner.hold(UNTIL);
        joiner.restore(stream.export(), NOW);
        engine.answer(joiner, NOW);

        assertThat(joiner.state()).isEqualTo(StreamState.LIVE);
        assertThat(joinersIndex.blocks()).isEqualTo(3);
    }

    @Test
    void saltsGoAlong() {
        both(engine.publish(new BlocksStored(
                new long[] {20},
                FakeEngine.tokens(20),
                FakeEngine.BLOCK_SIZE,
                new Lineage(null, "", List.of(BlockKeys.ofTexts("tenant"))),
                Placement.DEVICE)));
        RankSnapshot snapshot = stream.export();
        joiner.restore(snapshot, NOW);
        engine.answer(joiner, NOW);

        both(engine.publish(stored(20L, 21)));

        RankSnapshot here = stream.export();
        RankSnapshot there = joiner.export();
        assertThat(sequences(there)).containsExactlyInAnyOrderElementsOf(sequences(here));
        assertThat(sequences(there)).hasSize(5);
    }

    private static List<Long> sequences(RankSnapshot snapshot) {
        return snapshot.chunks().stream()
                .flatMap(chunk -> java.util.stream.IntStream.range(
                                0, chunk.blocks().rows())
                        .mapToObj(row -> chunk.blocks().sequenceHash(row)))
                .toList();
    }
}
