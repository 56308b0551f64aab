package io.kvrouter.cluster.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads what {@link WireOutput} wrote. Broken bytes end in {@link IllegalArgumentException}, never in a huge array. */
public final class WireInput {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] bytes;
    private int at;

    public WireInput(byte[] bytes) {
        this.bytes = bytes;
    }

    public int getByte() {
        if (at == bytes.length) {
            throw new IllegalArgumentException("message ends after " + at + " bytes (expected: more)");
        }
        return bytes[at++] & 0xFF;
    }

    public long getLong() {
        if (bytes.length - at < Long.BYTES) {
            throw new IllegalArgumentException("message ends after " + bytes.length + " bytes (expected: more)");
        }
        at += Long.BYTES;
        return (long) LONGS.get(bytes, at - Long.BYTES);
    }

    public long getVar() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = getByte();
            value |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IllegalArgumentException("number at byte " + at + " (expected: at most 10 bytes)");
    }

    public int getCount() {
        long count = getVar();
        if (count < 0 || count > bytes.length - at) {
            throw new IllegalArgumentException(
                    "count: " + count + " (expected: at most the " + (bytes.length - at) + " bytes left)");
        }
        return (int) count;
    }

    public int getInt() {
        return Math.toIntExact(getVar());
    }

    public String getText() {
        int length = getCount();
        at += length;
        return new String(bytes, at - length, length, StandardCharsets.UTF_8);
    }
}
