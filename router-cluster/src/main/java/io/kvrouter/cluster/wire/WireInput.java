package io.kvrouter.cluster.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what {@link WireOutput} wrote. Broken bytes end in {@link IllegalArgumentException}, never in a huge array. */
public final class WireInput {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] bytes;
    private int at;

    public WireInput(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Whether all was read: an older format ends before the fields that a newer one has. */
    public boolean atEnd() {
        return at == bytes.length;
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
        return getCount(1);
    }

    /** A number of things of at least so many bytes each: no more than there are bytes for. */
    public int getCount(int leastBytes) {
        long count = getVar();
        if (count < 0 || count > (bytes.length - at) / leastBytes) {
            throw new IllegalArgumentException("count: " + count + " of " + leastBytes
                    + " bytes (expected: at most the " + (bytes.length - at) + " bytes left)");
        }
        return (int) count;
    }

    /** The next bytes, so many. */
    public byte[] getBytes(int length) {
        if (length > bytes.length - at) {
            throw new IllegalArgumentException("message ends after " + bytes.length + " bytes (expected: more)");
        }
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
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
