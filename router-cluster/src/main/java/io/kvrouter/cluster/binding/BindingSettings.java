package io.kvrouter.cluster.binding;

import com.typesafe.config.Config;
import io.kvrouter.session.SessionKey;
import java.time.Duration;
import org.apache.pekko.cluster.ddata.ReplicatorSettings;

/**
 * Settings of the replicated bindings, {@code kvrouter.bindings}.
 *
 * @param sweep how often rows past their deadline are dropped; deadlines are rounded down to it, so it is equal on all
 *     nodes
 * @param skew how far the clocks of two nodes may be apart
 * @param flush how long a new, changed or removed binding may wait for company before it is written
 * @param refresh the same for a binding whose deadline moves
 * @param writeTimeout after how long without an answer of some node rows count as unconfirmed
 * @param maxSessions how many sessions are remembered, removed ones included while their removal is; split evenly over
 *     the tables
 */
public record BindingSettings(
        Duration sweep,
        Duration skew,
        Duration flush,
        Duration refresh,
        Duration writeTimeout,
        int maxSessions,
        ReplicatorSettings replicator) {
    private static final String ROOT = "kvrouter.bindings";
    /** So that a comparison of 800 tables, about 34 bytes a row, sends 12 MB at most. */
    private static final int MOST_SESSIONS = 3_500_000;

    public BindingSettings {
        positive("sweep-interval", sweep);
        positive("flush-interval", flush);
        positive("refresh-interval", refresh);
        positive("write-timeout", writeTimeout);
        if (skew.isNegative()) {
            throw new IllegalArgumentException(ROOT + ".skew: " + skew + " (expected: >= 0)");
        }
        if (maxSessions <= 0 || maxSessions > MOST_SESSIONS) {
            throw new IllegalArgumentException(
                    ROOT + ".max-sessions: " + maxSessions + " (expected: 1 to " + MOST_SESSIONS + ")");
        }
    }

    /** The most rows that a table may have. */
    public int maxRows() {
        return Math.ceilDiv(maxSessions, SessionKey.TABLES);
    }

    /** From an actor system's whole configuration. */
    public static BindingSettings of(Config config) {
        var own = config.getConfig(ROOT);
        var replicator =
                own.getConfig("distributed-data").withFallback(config.getConfig("pekko.cluster.distributed-data"));
        return new BindingSettings(
                own.getDuration("sweep-interval"),
                own.getDuration("skew"),
                own.getDuration("flush-interval"),
                own.getDuration("refresh-interval"),
                own.getDuration("write-timeout"),
                own.getInt("max-sessions"),
                ReplicatorSettings.apply(replicator));
    }

    private static void positive(String name, Duration value) {
        if (value.toMillis() <= 0) {
            throw new IllegalArgumentException(ROOT + "." + name + ": " + value + " (expected: at least 1 ms)");
        }
    }
}
