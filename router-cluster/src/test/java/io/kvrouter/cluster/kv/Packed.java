package io.kvrouter.cluster.kv;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** MessagePack bytes as engines make them, by an encoder that is not ours. */
@NullMarked
final class Packed {
    static {
        System.setProperty("msgpack.universal-buffer", "true"); // JDK 25 has no room for its unsafe one
    }

    private Packed() {}

    /** A batch in array form: the time, the events, the rank. */
    static byte[] batch(@Nullable Object... events) {
        return bytes(Arrays.asList(1.5, Arrays.asList(events), 0));
    }

    /** An event, or anything else, in array form. */
    static List<@Nullable Object> array(@Nullable Object... values) {
        return Arrays.asList(values);
    }

    /** Names and values in turn. */
    static Map<String, @Nullable Object> map(@Nullable Object... pairs) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return map;
    }

    static byte[] bytes(@Nullable Object value) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            pack(packer, value);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pack(MessageBufferPacker packer, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> packer.packNil();
            case Integer number -> packer.packInt(number);
            case Long number -> packer.packLong(number);
            case BigInteger number -> packer.packBigInteger(number);
            case Double number -> packer.packDouble(number);
            case Boolean flag -> packer.packBoolean(flag);
            case String text -> packer.packString(text);
            case byte[] binary -> packer.packBinaryHeader(binary.length).writePayload(binary);
            case List<?> list -> {
                packer.packArrayHeader(list.size());
                for (Object item : list) {
                    pack(packer, item);
                }
            }
            case Map<?, ?> map -> {
                packer.packMapHeader(map.size());
                for (var entry : map.entrySet()) {
                    pack(packer, entry.getKey());
                    pack(packer, entry.getValue());
                }
            }
            default -> throw new IllegalArgumentException("no bytes for " + value.getClass());
        }
    }
}
