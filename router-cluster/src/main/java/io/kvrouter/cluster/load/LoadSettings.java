package io.kvrouter.cluster.load;

import io.kvrouter.booking.BookingSettings;
import java.time.Duration;

/**
 * How this node books and how it tells the others.
 *
 * @param flushInterval the least time between two updates of changed rows; the first after a pause goes out at once
 * @param rewriteInterval how often the whole slice is written, with the node's clock: heals lost updates. At most 1 s,
 *     so that with gossip and notification a loss is healed within 2 s
 * @param writeTimeout after which an update that some node did not acknowledge is counted as timed out
 */
public record LoadSettings(
        BookingSettings booking, Duration flushInterval, Duration rewriteInterval, Duration writeTimeout) {
    public static final LoadSettings DEFAULT = new LoadSettings(
            BookingSettings.DEFAULT, Duration.ofMillis(20), Duration.ofSeconds(1), Duration.ofSeconds(1));

    public LoadSettings {
        require("flush-interval", flushInterval, Duration.ofSeconds(1));
        require("rewrite-interval", rewriteInterval, Duration.ofSeconds(1));
        require("write-timeout", writeTimeout, Duration.ofMinutes(1));
    }

    private static void require(String name, Duration value, Duration most) {
        if (value.toMillis() < 1 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 1 ms to " + most + ")");
        }
    }
}
