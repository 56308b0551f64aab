package io.kvrouter.cluster.kv;

import com.dynatrace.hash4j.hashing.Hasher64;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads MessagePack values from bytes, one after the other. Numbers come as primitives, and nothing that the bytes
 * claim is believed before as many bytes are there: broken ones end in {@link Malformed}, never in a huge array.
 */
final class MsgpackReader {
    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);

    private static final int NIL = 0xC0;
    private static final int NEVER_USED = 0xC1;

    private final byte[] bytes;
    private int at;

    MsgpackReader(byte[] bytes) {
        this.bytes = bytes;
    }

    private static VarHandle view(Class<?> numbers) {
        return MethodHandles.byteArrayViewVarHandle(numbers, ByteOrder.BIG_ENDIAN);
    }

    /** What was expected is not there. Without a stack trace, as a stream may be full of it. */
    static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message, null, false, false);
        }
    }

    int position() {
        return at;
    }

    void seek(int position) {
        at = position;
    }

    /** What kind of value comes next. */
    Kind next() {
        return Kind.of(peek());
    }

    private int peek() {
        require(1);
        return bytes[at] & 0xFF;
    }

    private void require(long count) {
        if (count < 0 || count > bytes.length - at) {
            throw new Malformed("value at byte " + at + " needs " + count + " bytes");
        }
    }

    /** A number of 1, 2, 4 or 8 bytes, without a sign but for the last. */
    private long fixed(int count) {
        require(count);
        long value = switch (count) {
            case 1 -> bytes[at] & 0xFF;
            case 2 -> (short) SHORTS.get(bytes, at) & 0xFFFF;
            case 4 -> (int) INTS.get(bytes, at) & 0xFFFF_FFFFL;
            default -> (long) LONGS.get(bytes, at);
        };
        at += count;
        return value;
    }

    /** Takes a nil, if one comes next. */
    boolean nil() {
        boolean nil = peek() == NIL;
        at += nil ? 1 : 0;
        return nil;
    }

    /** A whole number; one from 2^63 on comes as the negative number of the same bits. */
    long integer() {
        int first = (int) fixed(1);
        if (first < 0x80 || first >= 0xE0) {
            return (byte) first;
        }
        return switch (first) {
            case 0xCC -> fixed(1);
            case 0xCD -> fixed(2);
            case 0xCE -> fixed(4);
            case 0xCF, 0xD3 -> fixed(8);
            case 0xD0 -> (byte) fixed(1);
            case 0xD1 -> (short) fixed(2);
            case 0xD2 -> (int) fixed(4);
            default -> throw new Malformed("byte " + (at - 1) + " starts no whole number");
        };
    }

    /** How many values of an array follow. */
    int array() {
        int first = (int) fixed(1);
        return count(
                switch (first) {
                    case 0xDC -> fixed(2);
                    case 0xDD -> fixed(4);
                    default -> fits(first, 0x90, 0x0F, "array");
                });
    }

    /** How many pairs of a map follow. */
    int map() {
        int first = (int) fixed(1);
        return count(
                switch (first) {
                    case 0xDE -> fixed(2);
                    case 0xDF -> fixed(4);
                    default -> fits(first, 0x80, 0x0F, "map");
                });
    }

    private long fits(int first, int base, int mask, String what) {
        if ((first & ~mask) != base) {
            throw new Malformed("byte " + (at - 1) + " starts no " + what);
        }
        return first & mask;
    }

    /** Each of the values takes a byte at least. */
    private int count(long claimed) {
        require(claimed);
        return (int) claimed;
    }

    String text() {
        int first = (int) fixed(1);
        int length = count(
                switch (first) {
                    case 0xD9 -> fixed(1);
                    case 0xDA -> fixed(2);
                    case 0xDB -> fixed(4);
                    default -> fits(first, 0xA0, 0x1F, "text");
                });
        at += length;
        return new String(bytes, at - length, length, StandardCharsets.UTF_8);
    }

    /** Bytes as a number: the last eight of them big-endian, as vLLM makes its numbers of its digests. */
    long binary() {
        int first = (int) fixed(1);
        int length = count(
                switch (first) {
                    case 0xC4 -> fixed(1);
                    case 0xC5 -> fixed(2);
                    case 0xC6 -> fixed(4);
                    default -> throw new Malformed("byte " + (at - 1) + " starts no bytes");
                });
        at += length;
        long value = 0;
        for (int i = Math.max(at - Long.BYTES, at - length); i < at; i++) {
            value = (value << Byte.SIZE) | (bytes[i] & 0xFF);
        }
        return value;
    }

    /** A hash of the bytes from a position to here. */
    long hash(int from, Hasher64 hasher) {
        return hasher.hashBytesToLong(bytes, from, at - from);
    }

    /** Passes over the next value, whatever it is and however deep. */
    void skip() {
        for (long values = 1; values > 0; values--) {
            int first = peek();
            switch (Kind.of(first)) {
                case ARRAY -> values += array();
                case MAP -> values += 2L * map();
                case TEXT -> text();
                case BINARY -> binary();
                case INTEGER -> integer();
                case OTHER -> skipOther(first);
            }
        }
    }

    private void skipOther(int first) {
        at++;
        long length = switch (first) {
            case NIL, 0xC2, 0xC3 -> 0;
            case 0xCA -> 4;
            case 0xCB -> 8;
            case 0xC7 -> fixed(1) + 1;
            case 0xC8 -> fixed(2) + 1;
            case 0xC9 -> fixed(4) + 1;
            case NEVER_USED -> throw new Malformed("byte " + (at - 1) + " starts nothing");
            default -> 1 + (1L << (first - 0xD4)); // an extension of 1, 2, 4, 8 or 16 bytes
        };
        require(length);
        at += (int) length;
    }

    /** Kinds of values, as far as events have them. */
    enum Kind {
        INTEGER,
        TEXT,
        BINARY,
        ARRAY,
        MAP,
        OTHER;

        static Kind of(int first) {
            if (first < 0x80 || first >= 0xE0 || (first >= 0xCC && first <= 0xD3)) {
                return INTEGER;
            }
            if (first < 0x90 || first == 0xDE || first == 0xDF) {
                return MAP;
            }
            if (first < 0xA0 || first == 0xDC || first == 0xDD) {
                return ARRAY;
            }
            if (first < 0xC0 || (first >= 0xD9 && first <= 0xDB)) {
                return TEXT;
            }
            return first >= 0xC4 && first <= 0xC6 ? BINARY : OTHER;
        }
    }
}
