package io.kvrouter.cluster.load;

import com.typesafe.config.Config;
import io.kvrouter.booking.BookingSettings;
import java.time.Duration;

/**
 * How this node books and how it tells the others.
 *
 * @param flushInterval the least time between two updates of changed rows in a cluster of up to eight nodes, see
 *     {@link FlushSchedule}; the first after a pause goes out at once
 * @param rewriteInterval how often the whole slice is written, with the node's clock: heals lost updates. At most 1 s,
 *     so that a loss is healed within 2 s
 * @param writeTimeout after which a whole slice that some node did not acknowledge is counted as timed out
 * @param downedPermitsRest how long workers' permits of a node that the cluster has downed are given to nobody: until one
 *     that is only cut off has noticed it, and ended what it runs
 */
public record LoadSettings(
        BookingSettings booking,
        Duration flushInterval,
        Duration rewriteInterval,
        Duration writeTimeout,
        Duration downedPermitsRest) {
    public static final LoadSettings DEFAULT = new LoadSettings(
            BookingSettings.DEFAULT,
            Duration.ofMillis(20),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(7));

    private static final String SECTION = "kvrouter.load";

    /** The rest as the configuration has it under {@code kvrouter.load}, bookings by default. */
    public static LoadSettings of(Config config) {
        Config section = config.getConfig(SECTION);
        return new LoadSettings(
                BookingSettings.DEFAULT,
                section.getDuration("flush-interval"),
                section.getDuration("rewrite-interval"),
                section.getDuration("write-timeout"),
                section.getDuration("downed-permits-rest"));
    }

    public LoadSettings {
        require("flush-interval", flushInterval, Duration.ofSeconds(1));
        require("rewrite-interval", rewriteInterval, Duration.ofSeconds(1));
        require("write-timeout", writeTimeout, Duration.ofMinutes(1));
        require("downed-permits-rest", downedPermitsRest, Duration.ofMinutes(10));
    }

    /** With other bookings. */
    public LoadSettings with(BookingSettings other) {
        return new LoadSettings(other, flushInterval, rewriteInterval, writeTimeout, downedPermitsRest);
    }

    private static void require(String name, Duration value, Duration most) {
        if (value.toMillis() < 1 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    SECTION + "." + name + ": " + value + " (expected: 1 ms to " + most + ")");
        }
    }
}
