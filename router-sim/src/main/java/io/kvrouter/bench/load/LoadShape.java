package io.kvrouter.bench.load;

import java.time.Duration;

/**
 * What is measured.
 *
 * @param rate bookings a second, of all nodes together
 * @param lasting how long each reservation lives
 */
public record LoadShape(int nodes, int workers, int rate, Duration warmup, Duration measured, Duration lasting) {
    /** Bookings a second of one node. */
    double ratePerNode() {
        return (double) rate / nodes;
    }
}
