package io.kvrouter.kv.fleet;

import io.kvrouter.kv.stream.StreamSettings;

/**
 * How this node follows the KV caches of its workers.
 *
 * @param published whether workers that say nothing of KV events are taken to publish them
 * @param port default port of rank 0's events; the next rank's is one higher, and the replay ports follow those of all
 *     ranks
 * @param maxBytes what all indexes together may take of the heap
 */
public record KvFleetSettings(boolean published, int port, long maxBytes, StreamSettings streams) {
    /** vLLM's port for its events. */
    public static final int DEFAULT_PORT = 5_557;

    private static final int MAX_PORT = 65_535;

    public KvFleetSettings {
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("port of KV events: " + port + " (expected: 1 to " + MAX_PORT + ")");
        }
        if (maxBytes <= 0) {
            throw new IllegalArgumentException("bytes of the KV index: " + maxBytes + " (expected: > 0)");
        }
    }
}
