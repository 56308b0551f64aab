package io.kvrouter.kv.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Runs by the sequence hash of their first block. One writer, any readers, without locks.
 *
 * <p>Open addressing in a thousand segments that grow one by one, since a table of millions would rehash for 100 ms. A
 * slot's key is written before its run is published, and a reader checks both; a removed run leaves {@link #GONE}, so
 * that nobody who looks further loses his way. A segment that was replaced stays as it is for those still in it.
 */
final class HeadTable {
    private static final int SEGMENT_BITS = 10;
    private static final int SMALLEST = 4;
    private static final VarHandle SEGMENT = MethodHandles.arrayElementVarHandle(Segment[].class);
    private static final VarHandle RUN = MethodHandles.arrayElementVarHandle(Run[].class);
    private static final Run GONE =
            new Run(-1, 0, null, 0, new Run.State(new long[0], 0, new int[0], new HolderSet[0]));

    private static final class Segment {
        final long[] keys;
        final @Nullable Run[] runs;
        int live;
        int used;

        Segment(int capacity) {
            keys = new long[capacity];
            runs = new Run[capacity];
        }
    }

    private final @Nullable Segment[] segments = new Segment[1 << SEGMENT_BITS];
    private final long multiplier;
    private long slots;

    HeadTable(long multiplier) {
        this.multiplier = multiplier;
    }

    /** Spreads a hash that came from outside: who does not know the multiplier can't make keys that fall together. */
    static long spread(long key, long multiplier) {
        long product = (key ^ (key >>> 32)) * multiplier;
        return product ^ (product >>> 32);
    }

    long bytes() {
        return slots * (Long.BYTES + Integer.BYTES);
    }

    @Nullable
    Run find(long head) {
        long hash = spread(head, multiplier);
        Segment segment = (Segment) SEGMENT.getAcquire(segments, segmentOf(hash));
        if (segment == null) {
            return null;
        }
        int mask = segment.keys.length - 1;
        for (int slot = (int) hash & mask; ; slot = (slot + 1) & mask) {
            Run run = (Run) RUN.getAcquire(segment.runs, slot);
            if (run == null) {
                return null;
            }
            if (segment.keys[slot] == head && run.head == head && run != GONE) {
                return run;
            }
        }
    }

    /** Adds a run whose head is not in the table. */
    void add(Run run) {
        int at = segmentOf(spread(run.head, multiplier));
        Segment segment = segments[at];
        if (segment == null || (segment.used + 1) * 3 > segment.keys.length * 2) {
            segment = rebuild(at, segment, segment == null ? 1 : segment.live + 1);
        }
        insert(segment, run);
    }

    void remove(Run run) {
        int at = segmentOf(spread(run.head, multiplier));
        Segment segment = segments[at];
        if (segment == null) {
            return;
        }
        int mask = segment.keys.length - 1;
        int slot = (int) spread(run.head, multiplier) & mask;
        while (segment.runs[slot] != run) {
            slot = (slot + 1) & mask;
        }
        RUN.setRelease(segment.runs, slot, GONE);
        segment.live--;
        if (segment.live == 0) {
            slots -= segment.keys.length;
            SEGMENT.setRelease(segments, at, null);
        } else if (segment.live * 8 < segment.keys.length && segment.keys.length > SMALLEST) {
            rebuild(at, segment, segment.live);
        }
    }

    private void insert(Segment segment, Run run) {
        int mask = segment.keys.length - 1;
        int slot = (int) spread(run.head, multiplier) & mask;
        while (segment.runs[slot] != null && segment.runs[slot] != GONE) {
            slot = (slot + 1) & mask;
        }
        segment.used += segment.runs[slot] == null ? 1 : 0;
        segment.live++;
        segment.keys[slot] = run.head;
        RUN.setRelease(segment.runs, slot, run);
    }

    private Segment rebuild(int at, @Nullable Segment old, int live) {
        Segment fresh = new Segment(Math.max(SMALLEST, Integer.highestOneBit(live * 2 - 1) * 2));
        slots += fresh.keys.length;
        if (old != null) {
            slots -= old.keys.length;
            for (Run run : old.runs) {
                if (run != null && run != GONE) {
                    insert(fresh, run);
                }
            }
        }
        SEGMENT.setRelease(segments, at, fresh);
        return fresh;
    }

    private static int segmentOf(long hash) {
        return (int) (hash >>> (Long.SIZE - SEGMENT_BITS));
    }
}
