package io.kvrouter.cluster.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Grows a message's bytes. Fixed numbers are big-endian, variable ones carry 7 bits a byte, lowest first. */
public final class WireOutput {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes;
    private int size;

    public WireOutput(int expected) {
        bytes = new byte[expected];
    }

    public WireOutput putByte(int value) {
        if (size == bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(64, 2 * size));
        }
        bytes[size++] = (byte) value;
        return this;
    }

    public WireOutput putLong(long value) {
        if (bytes.length - size < Long.BYTES) {
            bytes = Arrays.copyOf(bytes, Math.max(64, 2 * bytes.length));
        }
        LONGS.set(bytes, size, value);
        size += Long.BYTES;
        return this;
    }

    /** A number that is small and not negative as a rule; a negative one takes ten bytes. */
    public WireOutput putVar(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            putByte((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        return putByte((int) rest);
    }

    public WireOutput putText(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        putVar(encoded.length);
        for (byte b : encoded) {
            putByte(b);
        }
        return this;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }
}
