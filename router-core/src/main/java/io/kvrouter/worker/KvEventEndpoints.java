package io.kvrouter.worker;

import java.net.URI;
import java.util.List;

/**
 * Where an engine publishes its KV events, by rank.
 *
 * @param published false = it publishes none, whatever this router's settings assume
 * @param endpoints {@code tcp://host:port} of each rank; empty = at the worker's host, on the default ports
 * @param replay where earlier batches are had, for each of the endpoints; empty = nowhere, or on the default ports if the
 *     endpoints are
 */
public record KvEventEndpoints(boolean published, List<String> endpoints, List<String> replay) {
    /** Published on the default ports. */
    public static final KvEventEndpoints DERIVED = new KvEventEndpoints(true, List.of(), List.of());

    /** Not published. */
    public static final KvEventEndpoints OFF = new KvEventEndpoints(false, List.of(), List.of());

    private static final int MAX_PORT = 65_535;

    public KvEventEndpoints {
        endpoints = endpoints.stream().map(text -> checked("endpoints", text)).toList();
        replay = replay.stream().map(text -> checked("replay", text)).toList();
        if (!replay.isEmpty() && replay.size() != endpoints.size()) {
            throw new IllegalArgumentException("kv_events.replay: " + replay.size() + " (expected: none, or "
                    + endpoints.size() + ", one for each of the endpoints)");
        }
    }

    private static String checked(String field, String text) {
        String expected = "\" (expected: tcp://host:port as this router reaches it";
        if (text.startsWith("ipc:") || text.startsWith("inproc:")) {
            throw new IllegalArgumentException("kv_events." + field + ": \"" + text + expected
                    + "; ipc and inproc end at the engine's own machine)");
        }
        try {
            URI uri = URI.create(text.strip());
            boolean plain = uri.getRawPath() == null || uri.getRawPath().isEmpty();
            if ("tcp".equals(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getUserInfo() == null
                    && plain
                    && uri.getPort() > 0
                    && uri.getPort() <= MAX_PORT) {
                return text.strip();
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("kv_events." + field + ": \"" + text + expected + ")", e);
        }
        throw new IllegalArgumentException("kv_events." + field + ": \"" + text + expected + ")");
    }
}
