package io.kvrouter.access.share;

/**
 * Tokens of the last minute, by the second: each counts for at least {@link #SECONDS}, and for less than one second more.
 * Takes 500 bytes. Times are in ms and only grow.
 */
final class TokenWindow {
    static final int SECONDS = 60;

    private static final int BUCKETS = SECONDS + 1;
    private static final long MS = 1_000;

    private final long[] buckets = new long[BUCKETS];
    private long newest;
    private long sum;

    TokenWindow(long now) {
        newest = second(now);
    }

    private static long second(long now) {
        return Math.floorDiv(now, MS);
    }

    private static int bucket(long second) {
        return (int) Math.floorMod(second, (long) BUCKETS);
    }

    void add(long tokens, long now) {
        moveTo(now);
        buckets[bucket(newest)] += tokens;
        sum += tokens;
    }

    /** Forgets what is too old. */
    private void moveTo(long now) {
        long second = second(now);
        for (long next = Math.max(newest, second - BUCKETS) + 1; next <= second; next++) {
            sum -= buckets[bucket(next)];
            buckets[bucket(next)] = 0;
        }
        newest = Math.max(newest, second);
    }

    long sum(long now) {
        moveTo(now);
        return sum;
    }

    /** In how many whole seconds fewer than {@code limit} are left if none are added; 0 if that is so now. */
    int secondsUntilBelow(long limit, long now) {
        moveTo(now);
        long left = sum;
        int seconds = 0;
        while (left >= limit && seconds < BUCKETS) {
            seconds++;
            left -= buckets[bucket(newest + seconds)];
        }
        return seconds;
    }
}
