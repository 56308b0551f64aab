package io.kvrouter.http.upstream;

import com.typesafe.config.Config;
import java.time.Duration;

/**
 * Limits of forwarding, from {@code kvrouter.upstream}.
 *
 * @param connectTimeout until a connection stands
 * @param firstByteTimeout until the head of the answer; a long prompt in a long queue takes minutes
 * @param idleTimeout between two parts of a body, while the client takes them
 * @param totalTimeout from the call to the end of its answer
 * @param keepAlive how long a connection waits for its next request
 * @param maxIdle waiting connections per event loop and worker
 * @param maxHeadBytes status line and headers of an answer
 */
public record UpstreamSettings(
        Duration connectTimeout,
        Duration firstByteTimeout,
        Duration idleTimeout,
        Duration totalTimeout,
        Duration keepAlive,
        int maxIdle,
        int maxHeadBytes) {
    private static final String ROOT = "kvrouter.upstream.";

    public UpstreamSettings {
        positive("connect-timeout", connectTimeout);
        positive("first-byte-timeout", firstByteTimeout);
        positive("idle-timeout", idleTimeout);
        positive("total-timeout", totalTimeout);
        positive("keep-alive", keepAlive);
        if (maxIdle < 0) {
            throw new IllegalArgumentException(ROOT + "max-idle: " + maxIdle + " (expected: >= 0)");
        }
        if (maxHeadBytes < 1024) {
            throw new IllegalArgumentException(ROOT + "max-head-size: " + maxHeadBytes + " (expected: >= 1 KiB)");
        }
    }

    /** Reads them from an application's whole configuration. */
    public static UpstreamSettings from(Config config) {
        return new UpstreamSettings(
                config.getDuration(ROOT + "connect-timeout"),
                config.getDuration(ROOT + "first-byte-timeout"),
                config.getDuration(ROOT + "idle-timeout"),
                config.getDuration(ROOT + "total-timeout"),
                config.getDuration(ROOT + "keep-alive"),
                config.getInt(ROOT + "max-idle"),
                Math.toIntExact(config.getBytes(ROOT + "max-head-size")));
    }

    private static void positive(String key, Duration value) {
        if (value.isNegative() || value.isZero() || value.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(ROOT + key + ": " + value + " (expected: > 0, at most 24 days)");
        }
    }
}
