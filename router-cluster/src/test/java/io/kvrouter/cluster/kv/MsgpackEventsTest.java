package io.kvrouter.cluster.kv;

import static io.kvrouter.cluster.kv.Packed.array;
import static io.kvrouter.cluster.kv.Packed.batch;
import static io.kvrouter.cluster.kv.Packed.bytes;
import static io.kvrouter.cluster.kv.Packed.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.kv.event.BlockKeys;
import io.kvrouter.kv.event.BlocksRemoved;
import io.kvrouter.kv.event.BlocksStored;
import io.kvrouter.kv.event.KvEvent;
import io.kvrouter.kv.index.Tier;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@NullMarked
class MsgpackEventsTest {
    private static final BigInteger UNSIGNED = BigInteger.TWO.pow(64).subtract(BigInteger.TWO);

    private final MsgpackEvents decoder = new MsgpackEvents();

    private BlocksStored stored(byte[] payload) {
        return (BlocksStored) one(payload);
    }

    private KvEvent one(byte[] payload) {
        var events = decoder.decode(payload);
        assertThat(events).hasSize(1);
        return events.getFirst();
    }

    private static List<?> minimal(long hash) {
        return array("BlockStored", List.of(hash), null, List.of(1, 2), 2, null);
    }

    @Test
    void readsVllmsArrays() {
        var event = stored(batch(array(
                "BlockStored",
                List.of(7L, UNSIGNED),
                5L,
                List.of(1, 2, 70_000, 151_643),
                2,
                3,
                "CPU",
                "adapter-a",
                Arrays.asList(List.of("adapter-a"), null),
                1,
                "full_attention",
                128)));

        assertThat(event.hashes()).containsExactly(7, -2);
        assertThat(event.lineage().parent()).isEqualTo(5);
        assertThat(event.tokens()).containsExactly(1, 2, 70_000, 151_643);
        assertThat(event.blockSize()).isEqualTo(2);
        assertThat(event.lineage().adapter()).isEqualTo("adapter-a");
        assertThat(event.lineage().keys()).containsExactly(BlockKeys.ofTexts("adapter-a"), null);
        assertThat(event.placement().tier()).contains(Tier.HOST);
        assertThat(event.placement().group()).isEqualTo(1);
        assertThat(event.placement().kind()).isEqualTo("full_attention");
    }

    @Test
    void readsVllmsMapsInAMapOfABatch() {
        Map<String, @Nullable Object> event =
                map("block_hashes", List.of(7L), "type", "BlockStored", "future_field", List.of(map("a", 1.0)));
        event.putAll(map("parent_block_hash", null, "token_ids", List.of(1, 2), "block_size", 2));
        event.putAll(map("lora_id", null, "medium", "GPU", "lora_name", null, "session_id", "s"));

        var stored = stored(bytes(map("ts", 1.5, "events", List.of(event), "data_parallel_rank", 1)));

        assertThat(stored.hashes()).containsExactly(7);
        assertThat(stored.lineage().parent()).isNull();
        assertThat(stored.placement().tier()).contains(Tier.DEVICE);
        assertThat(stored.placement().group()).isNegative();
    }

    @Test
    void readsSglangsShortEvents() {
        var events = decoder.decode(bytes(
                array(1.5, List.of(minimal(-7), array("BlockRemoved", List.of(-7L)), array("AllBlocksCleared")))));

        assertThat(events).hasSize(3);
        assertThat(((BlocksStored) events.get(0)).hashes()).containsExactly(-7);
        assertThat(((BlocksRemoved) events.get(1)).hashes()).containsExactly(-7);
        assertThat(((BlocksRemoved) events.get(1)).placement().tier()).contains(Tier.DEVICE);
        assertThat(events.get(2)).isInstanceOf(KvEvent.AllCleared.class);
    }

    @Test
    void readsTensorRtLlmsMaps() {
        var events = decoder.decode(batch(
                map("type", "BlockRemoved", "block_hashes", List.of(1L), "locality", "REMOTE"),
                map("type", "BlockRemoved", "block_hashes", List.of(2L), "locality", "LOCAL")));

        assertThat(events)
                .extracting(event -> ((BlocksRemoved) event).placement().remote())
                .containsExactly(true, false);
    }

    @Test
    void arraysAndMapsMayBeMixed() {
        var events = decoder.decode(batch(
                minimal(1), map("type", "AllBlocksCleared"), array("BlockRemoved", List.of(1L), "GPU", 0, "more")));

        assertThat(events).hasExactlyElementsOfTypes(BlocksStored.class, KvEvent.AllCleared.class, BlocksRemoved.class);
    }

    @Test
    void bytesAreHashesByTheirLastEight() {
        byte[] digest = HexFormat.of().parseHex("00112233445566778899aabbccddeeff");
        var event =
                stored(batch(array("BlockStored", List.of(digest, new byte[] {1, 2}), digest, List.of(1, 2), 1, null)));

        assertThat(event.hashes()).containsExactly(0x8899aabbccddeeffL, 0x0102);
        assertThat(event.lineage().parent()).isEqualTo(0x8899aabbccddeeffL);
    }

    @Test
    void anAdapterThatIsAnIdOnlyIsNotTheBaseModel() {
        var number = stored(batch(array("BlockStored", List.of(1L), null, List.of(1, 2), 2, 3)));
        var text = stored(batch(array("BlockStored", List.of(1L), null, List.of(1, 2), 2, "f00d")));
        var zero = stored(batch(array("BlockStored", List.of(1L), null, List.of(1, 2), 2, 0)));

        assertThat(number.lineage().adapter()).isNotEmpty().isNotEqualTo("3");
        assertThat(text.lineage().adapter()).isNotEmpty().isNotEqualTo("f00d");
        assertThat(zero.lineage().adapter()).isEmpty();
    }

    @Test
    void extraKeysAreTextsTypedValuesOrOpaque() {
        var event = stored(batch(map(
                "type", "BlockStored",
                "block_hashes", List.of(1L, 2L, 3L, 4L, 5L),
                "token_ids", List.of(1, 2, 3, 4, 5),
                "block_size", 1,
                "extra_keys",
                        Arrays.asList(
                                List.of("salt"),
                                List.of(map("type", "cache_salt", "salt", "s"), map("type", "lora", "name", "a")),
                                List.of(List.of("image", 3)),
                                List.of(List.of("image", 4)),
                                List.of(new byte[] {9})))));

        var keys = event.lineage().keys();
        assertThat(keys.subList(0, 2))
                .containsExactly(BlockKeys.ofTexts("salt"), new BlockKeys(List.of(), "s", "a", 0));
        assertThat(keys.subList(2, 5))
                .allSatisfy(key -> assertThat(key.opaque()).isNotZero());
        assertThat(keys.get(2)).isNotEqualTo(keys.get(3));
    }

    @Test
    void oneBadEventCostsOnlyItself() {
        var events = decoder.decode(batch(
                minimal(1),
                array("BlockStored", List.of("text"), null, List.of(1), 1, null),
                array("BlockStored", 5),
                array("BlockStored"),
                array(7, 8),
                array(),
                "event",
                null,
                map("block_hashes", List.of(1L)),
                map("type", "BlockStored", "block_hashes", List.of(1L)),
                map("type", "BlockRemoved", "block_hashes", null),
                minimal(2)));

        assertThat(events).hasSize(12);
        assertThat(events.getFirst()).isInstanceOf(BlocksStored.class);
        assertThat(events.getLast()).isInstanceOf(BlocksStored.class);
        assertThat(events.subList(1, 11)).hasOnlyElementsOfType(KvEvent.Malformed.class);
    }

    @Test
    void unknownEventsAreTold() {
        assertThat(one(batch(array("TierBlocksCleared", List.of(List.of(1, "CPU"))))))
                .isInstanceOf(KvEvent.Unknown.class);
        assertThat(one(batch(map("type", "BlockMoved", "block_hashes", "other"))))
                .isInstanceOf(KvEvent.Unknown.class);
    }

    @Test
    void whatIsNoBatchIsOneMalformedEvent() {
        for (Object payload : new Object[] {7, "text", List.of(), List.of(1.5), List.of(1.5, 3), map("ts", 1.5)}) {
            assertThat(one(bytes(payload))).isInstanceOf(KvEvent.Malformed.class);
        }
        assertThat(one(new byte[0])).isInstanceOf(KvEvent.Malformed.class);
    }

    @Test
    void aCutBatchKeepsTheEventsBeforeTheCut() {
        byte[] whole = batch(minimal(1), minimal(2));

        var events = decoder.decode(Arrays.copyOf(whole, whole.length - 4));

        assertThat(events).hasExactlyElementsOfTypes(BlocksStored.class, KvEvent.Malformed.class);
    }

    @Test
    void claimsOfHugeArraysTakeNoMemory() {
        byte[] huge = HexFormat.of().parseHex("92cb3ff0000000000000ddffffffff");

        assertThat(one(huge)).isInstanceOf(KvEvent.Malformed.class);
    }

    @Test
    void deepNestingIsPassedOver() {
        byte[] deep = new byte[1 << 20];
        Arrays.fill(deep, (byte) 0x91);
        deep[deep.length - 1] = (byte) 0xC0;
        byte[] payload = new byte[deep.length + 4];
        payload[0] = (byte) 0x92;
        System.arraycopy(deep, 0, payload, 1, deep.length);
        payload[deep.length + 1] = (byte) 0x91;
        payload[deep.length + 2] = (byte) 0x91;
        payload[deep.length + 3] = (byte) 0xC0;

        assertThat(one(payload)).isInstanceOf(KvEvent.Malformed.class);
    }

    @Test
    void noBytesBreakIt() {
        var random = new Random(42);
        byte[] whole = batch(minimal(1), map("type", "BlockRemoved", "block_hashes", List.of(UNSIGNED)), minimal(2));
        for (int i = 0; i < 20_000; i++) {
            byte[] broken = whole.clone();
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
            }
            assertThat(decoder.decode(broken)).hasSizeLessThan(broken.length);
        }
    }
}
