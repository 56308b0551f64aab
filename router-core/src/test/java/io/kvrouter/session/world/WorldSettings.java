package io.kvrouter.session.world;

/**
 * What a world is like.
 *
 * @param ttlMs idle time-out at first
 * @param skewMs how far apart the rules take clocks to be
 * @param offsetMs how far off the nodes' clocks are at most, to either side
 * @param lossPercent how many messages of the rows' replication are lost
 * @param bound rows a table may have
 * @param stepMs how far ahead the clock of the last node has stepped
 */
record WorldSettings(long ttlMs, long skewMs, long offsetMs, int lossPercent, int bound, long stepMs) {
    static final long SWEEP_MS = 200;
    static final long BUDGET_MS = 250;
    static final long FLUSH_MS = 10;
    static final long REFRESH_MS = 200;
    static final long STOP_WITHIN_MS = 200;
    static final long WRITE_TIMEOUT_MS = 1_000;
    static final long GOSSIP_MS = 400;
    static final long DOWN_AFTER_MS = 1_500;
    static final long LONGEST_DELAY_MS = 400;

    static WorldSettings usual() {
        return new WorldSettings(3_000, 200, 90, 8, Integer.MAX_VALUE, 0);
    }

    WorldSettings exactClocks() {
        return new WorldSettings(ttlMs, skewMs, 0, lossPercent, bound, stepMs);
    }

    WorldSettings lossless() {
        return new WorldSettings(ttlMs, skewMs, offsetMs, 0, bound, stepMs);
    }

    WorldSettings withBound(int rows) {
        return new WorldSettings(ttlMs, skewMs, offsetMs, lossPercent, rows, stepMs);
    }

    WorldSettings withSteppedClock(long ms) {
        return new WorldSettings(ttlMs, skewMs, offsetMs, lossPercent, bound, ms);
    }
}
