package io.kvrouter.llama;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes a model in GGUF 3, the format that llama.cpp reads: keys, tensors of 32-bit floats, their data. */
final class GgufFile {
    private static final int VERSION = 3;
    private static final int ALIGNMENT = 32;
    private static final int UINT32 = 4;
    private static final int INT32 = 5;
    private static final int FLOAT32 = 6;
    private static final int BOOL = 7;
    private static final int STRING = 8;
    private static final int ARRAY = 9;

    private final Bytes keys = new Bytes();
    private final Bytes tensors = new Bytes();
    private final List<float[]> data = new ArrayList<>();
    private int keyCount;
    private long offset;

    void put(String key, int value) {
        key(key, UINT32).u32(value);
    }

    void put(String key, float value) {
        key(key, FLOAT32).f32(value);
    }

    void put(String key, boolean value) {
        key(key, BOOL).u8(value ? 1 : 0);
    }

    void put(String key, String value) {
        key(key, STRING).text(value);
    }

    void putTexts(String key, List<String> values) {
        Bytes out = key(key, ARRAY).u32(STRING).u64(values.size());
        values.forEach(out::text);
    }

    void putFloats(String key, List<Float> values) {
        Bytes out = key(key, ARRAY).u32(FLOAT32).u64(values.size());
        values.forEach(out::f32);
    }

    void putInts(String key, List<Integer> values) {
        Bytes out = key(key, ARRAY).u32(INT32).u64(values.size());
        values.forEach(out::u32);
    }

    /** A tensor, the dimension that changes fastest first. */
    void tensor(String name, float[] values, int... dimensions) {
        tensors.text(name).u32(dimensions.length);
        for (int dimension : dimensions) {
            tensors.u64(dimension);
        }
        tensors.u32(0).u64(offset);
        data.add(values);
        offset += aligned(4L * values.length);
    }

    void write(Path file) throws IOException {
        var head = new Bytes().raw("GGUF").u32(VERSION).u64(data.size()).u64(keyCount);
        try (OutputStream out = Files.newOutputStream(file)) {
            long written = head.writeTo(out) + keys.writeTo(out) + tensors.writeTo(out);
            out.write(new byte[(int) (aligned(written) - written)]);
            for (float[] values : data) {
                ByteBuffer bytes =
                        ByteBuffer.allocate((int) aligned(4L * values.length)).order(ByteOrder.LITTLE_ENDIAN);
                bytes.asFloatBuffer().put(values);
                out.write(bytes.array());
            }
        }
    }

    private Bytes key(String key, int type) {
        keyCount++;
        return keys.text(key).u32(type);
    }

    private static long aligned(long length) {
        return Math.ceilDiv(length, ALIGNMENT) * ALIGNMENT;
    }

    /** Little-endian, as all of the format. */
    private static final class Bytes {
        private final ByteBuffer buffer = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);

        Bytes u8(int value) {
            buffer.put((byte) value);
            return this;
        }

        Bytes u32(int value) {
            buffer.putInt(value);
            return this;
        }

        Bytes u64(long value) {
            buffer.putLong(value);
            return this;
        }

        Bytes f32(float value) {
            buffer.putFloat(value);
            return this;
        }

        Bytes raw(String ascii) {
            buffer.put(ascii.getBytes(StandardCharsets.UTF_8));
            return this;
        }

        Bytes text(String value) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            buffer.putLong(bytes.length).put(bytes);
            return this;
        }

        long writeTo(OutputStream out) throws IOException {
            out.write(buffer.array(), 0, buffer.position());
            return buffer.position();
        }
    }
}
