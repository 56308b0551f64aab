package io.kvrouter.failover;

/**
 * Two counts over the last ten seconds: of something, and of those among it that are marked. Kept by the second, so that
 * a count costs a few nanoseconds and no object. Times are in ms. Not safe for use by several threads.
 */
final class RecentCounts {
    private static final int SLOTS = 10;
    private static final long SLOT_MS = 1_000;

    private final long[] all = new long[SLOTS];
    private final long[] marked = new long[SLOTS];
    private long newest = Long.MIN_VALUE;
    private long allSum;
    private long markedSum;

    void add(long more, long moreMarked, long now) {
        advance(now);
        int slot = slot(newest);
        all[slot] += more;
        marked[slot] += moreMarked;
        allSum += more;
        markedSum += moreMarked;
    }

    long all(long now) {
        advance(now);
        return allSum;
    }

    long marked(long now) {
        advance(now);
        return markedSum;
    }

    /** Empties the seconds that have passed. Time that runs back stays where it was. */
    private void advance(long now) {
        long second = Math.floorDiv(now, SLOT_MS);
        if (second <= newest) {
            return;
        }
        for (long empty = Math.max(newest, second - SLOTS) + 1; empty <= second; empty++) {
            int slot = slot(empty);
            allSum -= all[slot];
            markedSum -= marked[slot];
            all[slot] = 0;
            marked[slot] = 0;
        }
        newest = second;
    }

    private static int slot(long second) {
        return Math.floorMod(second, SLOTS);
    }
}
