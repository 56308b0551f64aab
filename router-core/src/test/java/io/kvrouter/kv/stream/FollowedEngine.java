package io.kvrouter.kv.stream;

import static io.kvrouter.kv.stream.FakeEngine.tokensOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.BlockHashes;
import io.kvrouter.kv.event.CacheWriter;
import io.kvrouter.kv.index.KvIndex;
import io.kvrouter.kv.index.Overlaps;
import io.kvrouter.kv.stream.FakeEngine.Message;
import org.jspecify.annotations.NullMarked;

/** One engine and the stream that follows it. */
@NullMarked
abstract class FollowedEngine {
    static final long NOW = 1_000_000;
    static final StreamSettings SETTINGS = StreamSettings.DEFAULT;

    final FakeEngine engine = new FakeEngine();
    final KvIndex index = new KvIndex(1 << 20, 7);
    final RankStream stream = stream(true);

    RankStream stream(boolean replayable) {
        return stream(replayable, SETTINGS);
    }

    RankStream stream(boolean replayable, StreamSettings settings) {
        var writer = new CacheWriter(index.open(), FakeEngine.BLOCK_SIZE, () -> false);
        return new RankStream(writer, engine::decode, settings, replayable, NOW);
    }

    void live(Message message) {
        stream.live(message.sequence(), message.payload(), NOW);
    }

    int held(long... chain) {
        var overlaps = new Overlaps();
        index.overlaps(
                BlockHashes.chain(
                        BlockHashes.ofTokens(tokensOf(chain), FakeEngine.BLOCK_SIZE, BlockHashes.seed("", ""))),
                overlaps);
        return overlaps.device(0);
    }

    StreamStatus status() {
        assertThat(stream.ask(NOW)).isEqualTo(RankStream.NONE);
        return stream.status();
    }
}
