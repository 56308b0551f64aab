package io.kvrouter.cluster.load;

import io.kvrouter.load.LoadSlice;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/**
 * The bytes of replicated load: a format byte, the number of slices, then each slice. Numbers are unsigned LEB128
 * (`varint`), except worker keys and node uids, which are hashes: eight bytes, big-endian.
 *
 * <pre>
 * slice: address (varint length, UTF-8), uid (8), version, version - floor, clock, bookings, rows, then for each
 * row:   worker key (8), version of the slice - version of the row, requests, prefill tokens, decode blocks
 * </pre>
 */
public final class LoadSerializer extends SerializerWithStringManifest {
    static final int IDENTIFIER = 761_001;

    private static final String MANIFEST = "L";
    private static final byte FORMAT = 1;
    private static final int LEAST_ROW_BYTES = 12;

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object value) {
        if (value instanceof LoadData) {
            return MANIFEST;
        }
        throw new IllegalArgumentException("no load: " + value.getClass().getName() + " (expected: LoadData)");
    }

    @Override
    public byte[] toBinary(Object value) {
        if (!(value instanceof LoadData data)) {
            throw new IllegalArgumentException("no load: " + value.getClass().getName() + " (expected: LoadData)");
        }
        var out = new ByteArrayOutputStream(64 * (1 + data.slices().size()));
        out.write(FORMAT);
        writeNumber(out, data.slices().size());
        data.slices().forEach((node, slice) -> {
            writeNode(out, node);
            writeSlice(out, slice);
        });
        return out.toByteArray();
    }

    @Override
    public LoadData fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        if (!manifest.equals(MANIFEST) || bytes.length == 0 || bytes[0] != FORMAT) {
            throw new NotSerializableException("load: manifest \"" + manifest + "\", format "
                    + (bytes.length == 0 ? "none" : bytes[0]) + " (expected: \"" + MANIFEST + "\", " + FORMAT + ")");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        try {
            Map<UniqueAddress, LoadSlice> slices = new HashMap<>();
            for (long left = readNumber(in); left > 0; left--) {
                slices.put(readNode(in), readSlice(in));
            }
            return LoadData.of(slices);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw broken(e);
        }
    }

    private static NotSerializableException broken(Exception cause) {
        var broken = new NotSerializableException("load: broken bytes");
        broken.initCause(cause);
        return broken;
    }

    private static void writeNode(ByteArrayOutputStream out, UniqueAddress node) {
        byte[] address = node.address().toString().getBytes(StandardCharsets.UTF_8);
        writeNumber(out, address.length);
        out.writeBytes(address);
        writeHash(out, node.longUid());
    }

    private static UniqueAddress readNode(ByteBuffer in) {
        byte[] address = new byte[length(in, 1)];
        in.get(address);
        return new UniqueAddress(AddressFromURIString.parse(new String(address, StandardCharsets.UTF_8)), in.getLong());
    }

    private static void writeSlice(ByteArrayOutputStream out, LoadSlice slice) {
        LoadSlice.Head head = slice.head();
        writeNumber(out, head.version());
        writeNumber(out, head.version() - head.floor());
        writeNumber(out, head.clock());
        writeNumber(out, head.bookings());
        writeNumber(out, slice.size());
        for (int row = 0; row < slice.size(); row++) {
            writeHash(out, slice.worker(row));
            writeNumber(out, head.version() - slice.number(row, 1));
            for (int column = 2; column < LoadSlice.WIDTH; column++) {
                writeNumber(out, slice.number(row, column));
            }
        }
    }

    private static LoadSlice readSlice(ByteBuffer in) {
        long version = readNumber(in);
        var head = new LoadSlice.Head(version, version - readNumber(in), readNumber(in), readNumber(in));
        long[] rows = new long[length(in, LEAST_ROW_BYTES) * LoadSlice.WIDTH];
        for (int at = 0; at < rows.length; at += LoadSlice.WIDTH) {
            rows[at] = in.getLong();
            rows[at + 1] = version - readNumber(in);
            for (int column = 2; column < LoadSlice.WIDTH; column++) {
                rows[at + column] = readNumber(in);
            }
        }
        return LoadSlice.of(head, rows);
    }

    /** A number of things of at least so many bytes each: no more than there are bytes for. */
    private static int length(ByteBuffer in, int leastBytes) {
        long length = readNumber(in);
        if (length < 0 || length > in.remaining() / leastBytes) {
            throw new BufferUnderflowException();
        }
        return (int) length;
    }

    private static void writeHash(ByteArrayOutputStream out, long value) {
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            out.write((int) (value >>> shift));
        }
    }

    private static void writeNumber(ByteArrayOutputStream out, long value) {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            out.write((int) ((left & 0x7F) | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }

    private static long readNumber(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = in.get();
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("varint: more than 10 bytes");
    }
}
