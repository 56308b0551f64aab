package io.kvrouter.cluster.load;

import java.time.Duration;

/**
 * How often changed rows go out. Each update goes to every other node, so that all nodes together do flushes x nodes
 * squared: up to eight nodes the interval is the configured one, beyond it grows with them, and a node's own work stays
 * what it is at eight. With 20 ms that makes 40 ms at 16 nodes; never more than 100 ms (or what is configured).
 */
record FlushSchedule(Duration interval) {
    private static final int FEW_NODES = 8;
    private static final long MOST_MS = 100;

    /**
     * The least time between two updates in ms.
     *
     * @param nodes members, this one included
     */
    long intervalMs(int nodes) {
        long least = interval.toMillis();
        return Math.max(least, Math.min(MOST_MS, least * nodes / FEW_NODES));
    }
}
