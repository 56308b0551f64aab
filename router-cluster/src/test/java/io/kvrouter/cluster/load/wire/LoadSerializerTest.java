package io.kvrouter.cluster.load.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.kvrouter.load.slice.LoadSlice;
import java.io.NotSerializableException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.cluster.UniqueAddress;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class LoadSerializerTest {
    private static final UniqueAddress NODE = new UniqueAddress(new Address("pekko", "s", "127.0.0.1", 1), 258L);
    private static final LoadData DATA =
            LoadData.of(Map.of(NODE, LoadSlice.of(new LoadSlice.Head(1_000, 900, 300, 5), new long[] {
                -2, 1_000, 1, 129, 3, 300, 0x0102030405060708L, 990, 0, 0, 0, 0
            })));
    private static final String BYTES = "02" // format
            + "01" // slices
            + "15" + HexFormat.of().formatHex("pekko://s@127.0.0.1:1".getBytes(StandardCharsets.US_ASCII))
            + "0000000000000102" // node
            + "e807" + "64" + "ac02" + "05" // version, version - floor, clock, bookings
            + "02" // rows
            + "fffffffffffffffe" + "00" + "01" + "8101" + "03" + "ac02"
            + "0102030405060708" + "0a" + "00" + "00" + "00" + "00";

    private static final ActorTestKit KIT = ActorTestKit.create(ConfigFactory.load());

    private final LoadSerializer serializer =
            new LoadSerializer((ExtendedActorSystem) KIT.system().classicSystem());

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @Test
    void theFormatIsFixed() {
        assertThat(HexFormat.of().formatHex(serializer.toBinary(DATA))).isEqualTo(BYTES);
    }

    @Test
    void fixedBytesAreRead() throws NotSerializableException {
        assertThat(serializer.fromBinary(HexFormat.of().parseHex(BYTES), "L")).isEqualTo(DATA);
    }

    @Test
    void anyLoadComesBackAsItWas() throws NotSerializableException {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            LoadData data = LoadData.of(Map.of(NODE, slice(random)));

            assertThat(serializer.fromBinary(serializer.toBinary(data), "L")).isEqualTo(data);
        }
    }

    @Test
    void messagesBetweenNodesComeBackAsTheyWere() throws NotSerializableException {
        byte[] rows = SliceCodec.bytes(slice(new Random(3)));
        var update = new PeerMessage.Update(NODE, rows, 300);
        var applied = new PeerMessage.Applied(NODE, 300);

        var read = (PeerMessage.Update) serializer.fromBinary(serializer.toBinary(update), serializer.manifest(update));

        assertThat(read.from()).isEqualTo(NODE);
        assertThat(read.probe()).isEqualTo(300);
        assertThat(SliceCodec.slice(read.bytes())).isEqualTo(slice(new Random(3)));
        assertThat(serializer.fromBinary(serializer.toBinary(applied), serializer.manifest(applied)))
                .isEqualTo(applied);
    }

    @Test
    void aDeltaIsNotPartOfTheBytes() throws NotSerializableException {
        LoadData written = LoadData.EMPTY.write(NODE, slice(new Random(1)));

        LoadData read = (LoadData) serializer.fromBinary(serializer.toBinary(written), "L");

        assertThat(read).isEqualTo(written);
        assertThat(read.deltaData()).isEmpty();
    }

    @Test
    void bytesThatBreakOffAreRefused() {
        byte[] bytes = serializer.toBinary(DATA);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> serializer.fromBinary(cut, "L")).isInstanceOf(NotSerializableException.class);
        }
    }

    @Test
    void anotherFormatOrManifestIsRefused() {
        byte[] bytes = serializer.toBinary(DATA);
        assertThatThrownBy(() -> serializer.fromBinary(bytes, "X"))
                .isInstanceOf(NotSerializableException.class)
                .hasMessageContaining("\"X\"");

        bytes[0] = 9;

        assertThatThrownBy(() -> serializer.fromBinary(bytes, "L"))
                .isInstanceOf(NotSerializableException.class)
                .hasMessageContaining("format 9");
    }

    private static LoadSlice slice(Random random) {
        long version = 1 + random.nextLong(1L << 48);
        long[] keys = LongStream.generate(random::nextLong)
                .limit(random.nextInt(50))
                .sorted()
                .toArray();
        long[] rows = new long[keys.length * LoadSlice.WIDTH];
        for (int i = 0; i < keys.length; i++) {
            int at = i * LoadSlice.WIDTH;
            rows[at] = keys[i];
            rows[at + 1] = random.nextLong(version) + 1;
            for (int column = 2; column < LoadSlice.WIDTH; column++) {
                rows[at + column] = random.nextLong(1L << random.nextInt(1, 62));
            }
        }
        var head = new LoadSlice.Head(version, random.nextLong(version), random.nextLong(1L << 42), random.nextInt(9));
        return LoadSlice.of(head, rows);
    }
}
