package io.kvrouter.cluster.load.wire;

import io.kvrouter.cluster.wire.WireInput;
import io.kvrouter.cluster.wire.WireOutput;
import io.kvrouter.load.slice.LoadSlice;

/**
 * The bytes of a slice. Numbers are unsigned LEB128 ({@code varint}), except worker keys, which are hashes: eight bytes,
 * big-endian.
 *
 * <pre>
 * slice: version, version - floor, clock, bookings, rows, then for each
 * row:   worker key (8), version of the slice - version of the row, requests, prefill tokens, decode blocks,
 *        footprint tokens
 * </pre>
 */
public final class SliceCodec {
    private static final int ROW_BYTES = 16;
    private static final int LEAST_ROW_BYTES = 13;

    private SliceCodec() {}

    /** The bytes of one slice alone. */
    public static byte[] bytes(LoadSlice slice) {
        var out = new WireOutput(32 + ROW_BYTES * slice.size());
        write(out, slice);
        return out.toBytes();
    }

    /** Reads them. Broken bytes end in {@link IllegalArgumentException}. */
    public static LoadSlice slice(byte[] bytes) {
        return read(new WireInput(bytes));
    }

    static void write(WireOutput out, LoadSlice slice) {
        LoadSlice.Head head = slice.head();
        out.putVar(head.version());
        out.putVar(head.version() - head.floor());
        out.putVar(head.clock());
        out.putVar(head.bookings());
        out.putVar(slice.size());
        for (int row = 0; row < slice.size(); row++) {
            out.putLong(slice.worker(row));
            out.putVar(head.version() - slice.number(row, 1));
            for (int column = 2; column < LoadSlice.WIDTH; column++) {
                out.putVar(slice.number(row, column));
            }
        }
    }

    static LoadSlice read(WireInput in) {
        long version = in.getVar();
        var head = new LoadSlice.Head(version, version - in.getVar(), in.getVar(), in.getVar());
        long[] rows = new long[in.getCount(LEAST_ROW_BYTES) * LoadSlice.WIDTH];
        for (int at = 0; at < rows.length; at += LoadSlice.WIDTH) {
            rows[at] = in.getLong();
            rows[at + 1] = version - in.getVar();
            for (int column = 2; column < LoadSlice.WIDTH; column++) {
                rows[at + column] = in.getVar();
            }
        }
        return LoadSlice.of(head, rows);
    }
}
