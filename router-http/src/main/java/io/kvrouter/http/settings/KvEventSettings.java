package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import io.kvrouter.kv.fleet.KvFleetSettings;
import io.kvrouter.kv.stream.StreamSettings;

/** Reads how this node follows its workers' KV caches. */
public final class KvEventSettings {
    private static final String ROOT = "kvrouter.";
    private static final int SHARE_OF_HEAP = 4;

    private KvEventSettings() {}

    /** Of {@code kv-events}, {@code kv-events-port}, {@code kv-events-silence} and {@code kv-index-size}. */
    public static KvFleetSettings from(Config config) {
        var streams = StreamSettings.DEFAULT;
        long silence = config.getDuration(ROOT + "kv-events-silence").toMillis();
        if (silence <= 0) {
            throw new IllegalArgumentException(ROOT + "kv-events-silence: " + silence + " ms (expected: > 0)");
        }
        int port = config.getInt(ROOT + "kv-events-port");
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(ROOT + "kv-events-port: " + port + " (expected: 1 to 65535)");
        }
        return new KvFleetSettings(
                config.getBoolean(ROOT + "kv-events"),
                port,
                indexSize(config),
                new StreamSettings(streams.answerTimeout(), streams.idleCheck(), silence, streams.pendingBytes()));
    }

    private static long indexSize(Config config) {
        String key = ROOT + "kv-index-size";
        long bytes = config.getBytes(key);
        if (bytes < 0) {
            throw new IllegalArgumentException(key + ": " + bytes + " (expected: >= 0, 0 = a quarter of the heap)");
        }
        return bytes == 0 ? Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP : bytes;
    }
}
