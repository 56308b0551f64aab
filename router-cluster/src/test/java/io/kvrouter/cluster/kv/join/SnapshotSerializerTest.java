package io.kvrouter.cluster.kv.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.kvrouter.kv.event.CacheChunk;
import io.kvrouter.kv.fleet.KvIndexes.Followed;
import io.kvrouter.kv.index.BlockBatch;
import io.kvrouter.kv.stream.RankSnapshot;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.SerializerWithStringManifest;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@NullMarked
class SnapshotSerializerTest {
    private static final ActorTestKit KIT = ActorTestKit.create(ConfigFactory.load());
    private static final ActorRef<SnapshotPeer.Reply> REPLIES =
            KIT.<SnapshotPeer.Reply>createTestProbe().ref();
    private static final ActorRef<SnapshotPeer.Command> PEER =
            KIT.<SnapshotPeer.Command>createTestProbe().ref();
    private static final Followed RANK = new Followed(-7, 16);

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    private static SerializerWithStringManifest serializer(Object message) {
        return (SerializerWithStringManifest)
                SerializationExtension.get(Adapter.toClassic(KIT.system())).findSerializerFor(message);
    }

    private static Object copy(Object message) throws Exception {
        var serializer = serializer(message);
        return serializer.fromBinary(serializer.toBinary(message), serializer.manifest(message));
    }

    private static CacheChunk chunk(int rows, boolean salted) {
        long[] hashes = IntStream.range(0, rows).mapToLong(row -> -row).toArray();
        long[] sequences = IntStream.range(0, rows).mapToLong(row -> row * 3L).toArray();
        byte[] marks = new byte[rows];
        marks[0] = 9;
        return new CacheChunk(
                new BlockBatch(hashes, sequences, hashes.clone(), marks),
                salted ? new CacheChunk.Salts(sequences.clone()) : CacheChunk.Salts.NONE);
    }

    static Stream<Object> messages() {
        return Stream.of(
                new SnapshotPeer.Ask(RANK, REPLIES),
                new SnapshotPeer.Pull(3, 4, REPLIES),
                new SnapshotPeer.Offer(RANK, new RankSnapshot.Place(900, -5, true, -2), 12, 3, PEER),
                new SnapshotPeer.Nothing(RANK));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void writesWhatItReads(Object message) throws Exception {
        assertThat(copy(message)).isEqualTo(message);
    }

    @Test
    void writesTheBlocksOfAChunk() throws Exception {
        var copy = (SnapshotPeer.Chunk) copy(new SnapshotPeer.Chunk(3, 4, chunk(3, true)));

        assertThat(copy.transfer()).isEqualTo(3);
        assertThat(copy.number()).isEqualTo(4);
        BlockBatch blocks = copy.blocks().blocks();
        assertThat(blocks.rows()).isEqualTo(3);
        assertThat(blocks.engineHash(2)).isEqualTo(-2);
        assertThat(blocks.sequenceHash(2)).isEqualTo(6);
        assertThat(blocks.parent(1)).isEqualTo(-1);
        assertThat(blocks.marks(0)).isEqualTo((byte) 9);
        assertThat(copy.blocks().salts().of(2)).isEqualTo(6);
    }

    @Test
    void aChunkStaysWellBelowTheFrameSize() {
        var message = new SnapshotPeer.Chunk(1, 1, chunk(BlockBatch.ROWS, true));

        assertThat(serializer(message).toBinary(message)).hasSizeLessThan(256 << 10);
    }

    @Test
    void refusesAnotherFormat() {
        var serializer = serializer(new SnapshotPeer.Nothing(RANK));

        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {9}, "n"))
                .hasMessageContaining("format 9 (expected: 1)");
    }
}
