package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import java.time.Duration;

/**
 * Settings of the selection API, {@code kvrouter.selection-api}.
 *
 * @param lease how long a reservation counts without a word of its caller
 * @param updates changed sessions that are remembered for readers of the updates that come back or are slow
 */
public record SelectionApiSettings(Duration lease, int updates) {
    private static final String ROOT = "kvrouter.selection-api";

    public SelectionApiSettings {
        if (lease.toMillis() <= 0) {
            throw new IllegalArgumentException(ROOT + ".lease: " + lease + " (expected: at least 1 ms)");
        }
        if (updates <= 0) {
            throw new IllegalArgumentException(ROOT + ".updates: " + updates + " (expected: > 0)");
        }
    }

    /** From an actor system's whole configuration. */
    public static SelectionApiSettings from(Config config) {
        var own = config.getConfig(ROOT);
        return new SelectionApiSettings(own.getDuration("lease"), own.getInt("updates"));
    }
}
