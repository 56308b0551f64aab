package io.kvrouter.kv.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cache's blocks by the engine's hashes: the place of each, and the tiers it is in under that hash. Fourteen bytes a
 * slot, three quarters of the slots in use. It is also the list of what the cache holds.
 *
 * <p>Open addressing in segments of several hundred entries; when the map grows, one segment at a time is split, so that
 * no store waits for a large table to rehash.
 */
final class EngineMap {
    private static final int TARGET = 768;
    private static final int SMALLEST = 8;
    private static final int TIER_BITS = HolderSet.TIER_BITS;
    private static final int OFFSET_BITS = 9;
    private static final int RUN_SHIFT = OFFSET_BITS + TIER_BITS;

    /** Takes the entries of a map, one after the other. */
    @FunctionalInterface
    interface Visitor {
        void visit(long engineHash, long value);
    }

    private static final class Segment {
        long[] keys = new long[SMALLEST];
        int[] runs = new int[SMALLEST];
        short[] rests = new short[SMALLEST]; // offset and tiers; 0 is a free slot, since no entry is without a tier
        int size;

        long value(int slot) {
            return ((long) runs[slot] << RUN_SHIFT) | rests[slot];
        }

        int home(long hash) {
            return (int) (((hash >>> 32) * keys.length) >>> 32);
        }

        int after(int slot) {
            return slot + 1 == keys.length ? 0 : slot + 1;
        }

        long bytes() {
            return 80 + 14L * keys.length;
        }
    }

    private final long multiplier;
    private @Nullable Segment[] segments = {new Segment()};
    private int count = 1;
    private long size;
    private long bytes = new Segment().bytes();

    EngineMap(long multiplier) {
        this.multiplier = multiplier;
    }

    /** An entry's value: where the block is, and the tiers; never 0. */
    static long value(int run, int offset, int tiers) {
        return ((long) run << RUN_SHIFT) | ((long) offset << TIER_BITS) | tiers;
    }

    static int run(long value) {
        return (int) (value >>> RUN_SHIFT);
    }

    static int offset(long value) {
        return (int) (value >>> TIER_BITS) & (Run.MAX - 1);
    }

    static int tiers(long value) {
        return (int) value & HolderSet.TIERS;
    }

    /** The place alone: one number for one block, whatever the tiers. */
    static long place(long value) {
        return value >>> TIER_BITS;
    }

    long size() {
        return size;
    }

    long bytes() {
        return bytes;
    }

    /** The value of the hash; 0 if there is none. */
    long get(long key) {
        long hash = HeadTable.spread(key, multiplier);
        Segment segment = segment(indexOf(hash));
        int slot = find(segment, key, hash);
        return segment.rests[slot] == 0 ? 0 : segment.value(slot);
    }

    /**
     * Adds the value's tiers to the hash, if it has no place yet or the same.
     *
     * @return the value before; 0 if there was none. One of another place is left as it is.
     */
    long add(long key, long value) {
        long hash = HeadTable.spread(key, multiplier);
        Segment segment = segment(indexOf(hash));
        int slot = find(segment, key, hash);
        if (segment.rests[slot] == 0) {
            fill(segment, slot, key, value);
            size++;
            if ((segment.size + 1) * 5 > segment.keys.length * 4) {
                resize(segment, segment.keys.length + segment.keys.length / 4 + 2);
            }
            if (size > (long) TARGET * count) {
                split();
            }
            return 0;
        }
        long before = segment.value(slot);
        if (place(before) == place(value)) {
            segment.rests[slot] |= (short) tiers(value);
        }
        return before;
    }

    /** Takes tiers from the hash. Returns the value before; 0 if there was none. */
    long drop(long key, int tiers) {
        long hash = HeadTable.spread(key, multiplier);
        Segment segment = segment(indexOf(hash));
        int slot = find(segment, key, hash);
        if (segment.rests[slot] == 0) {
            return 0;
        }
        long before = segment.value(slot);
        if ((tiers(before) & ~tiers) != 0) {
            segment.rests[slot] &= (short) ~tiers;
        } else {
            vacate(segment, slot);
            size--;
            if (segment.size * 5 < segment.keys.length * 2 && segment.keys.length > SMALLEST) {
                resize(segment, Math.max(SMALLEST, segment.size * 3 / 2 + 2));
            }
            if (count > 1 && size < (long) TARGET * count / 2) {
                merge();
            }
        }
        return before;
    }

    void forEach(Visitor visitor) {
        for (int at = 0; at < count; at++) {
            Segment segment = segment(at);
            for (int slot = 0; slot < segment.keys.length; slot++) {
                if (segment.rests[slot] != 0) {
                    visitor.visit(segment.keys[slot], segment.value(slot));
                }
            }
        }
    }

    void clear() {
        segments = new Segment[] {new Segment()};
        count = 1;
        size = 0;
        bytes = segment(0).bytes();
    }

    private Segment segment(int at) {
        Segment segment = segments[at];
        if (segment == null) {
            throw new IllegalStateException("segment " + at + " of " + count);
        }
        return segment;
    }

    /** Linear hashing: those that the present round has not split yet answer for their second half too. */
    private int indexOf(long hash) {
        int round = Integer.highestOneBit(count);
        int at = (int) hash & ((round << 1) - 1);
        return at < count ? at : at & (round - 1);
    }

    private static int find(Segment segment, long key, long hash) {
        int slot = segment.home(hash);
        while (segment.rests[slot] != 0 && segment.keys[slot] != key) {
            slot = segment.after(slot);
        }
        return slot;
    }

    private static void fill(Segment segment, int slot, long key, long value) {
        segment.keys[slot] = key;
        segment.runs[slot] = run(value);
        segment.rests[slot] = (short) (value & ((1 << RUN_SHIFT) - 1));
        segment.size++;
    }

    /** Closes the gap, so that every entry is found from its home without meeting a free slot. */
    private void vacate(Segment segment, int slot) {
        int gap = slot;
        for (int at = segment.after(gap); segment.rests[at] != 0; at = segment.after(at)) {
            int home = segment.home(HeadTable.spread(segment.keys[at], multiplier));
            boolean reachable = gap < at ? gap < home && home <= at : gap < home || home <= at;
            if (!reachable) {
                segment.keys[gap] = segment.keys[at];
                segment.runs[gap] = segment.runs[at];
                segment.rests[gap] = segment.rests[at];
                gap = at;
            }
        }
        segment.rests[gap] = 0;
        segment.size--;
    }

    private void resize(Segment segment, int capacity) {
        long[] keys = segment.keys;
        int[] runs = segment.runs;
        short[] rests = segment.rests;
        empty(segment, capacity);
        for (int slot = 0; slot < keys.length; slot++) {
            if (rests[slot] != 0) {
                long hash = HeadTable.spread(keys[slot], multiplier);
                Segment to = segment(indexOf(hash));
                fill(to, find(to, keys[slot], hash), keys[slot], ((long) runs[slot] << RUN_SHIFT) | rests[slot]);
            }
        }
    }

    private void empty(Segment segment, int capacity) {
        bytes -= segment.bytes();
        segment.keys = new long[capacity];
        segment.runs = new int[capacity];
        segment.rests = new short[capacity];
        segment.size = 0;
        bytes += segment.bytes();
    }

    /** The next segment in turn gives half of its entries to a new one. */
    private void split() {
        if (count == segments.length) {
            segments = Arrays.copyOf(segments, count * 2);
        }
        Segment old = segment(count - Integer.highestOneBit(count));
        Segment fresh = new Segment();
        bytes += fresh.bytes();
        segments[count++] = fresh;
        int capacity = old.size + SMALLEST; // for all of them: however uneven the halves are, each has room
        empty(fresh, capacity);
        resize(old, capacity);
        trim(old);
        trim(fresh);
    }

    /** The last segment's entries go back to the one that it was split from. */
    private void merge() {
        Segment last = segment(count - 1);
        segments[--count] = null;
        Segment into = segment(count - Integer.highestOneBit(count));
        int capacity = (into.size + last.size) * 3 / 2 + SMALLEST;
        resize(into, capacity);
        resize(last, SMALLEST); // which puts its entries where they belong now
        bytes -= last.bytes();
        if (count < segments.length / 4) {
            segments = Arrays.copyOf(segments, segments.length / 2);
        }
    }

    private void trim(Segment segment) {
        int capacity = Math.max(SMALLEST, segment.size * 3 / 2 + 2);
        if (capacity < segment.keys.length) {
            resize(segment, capacity);
        }
    }
}
