package io.kvrouter.worker;

import java.net.URI;
import java.util.Map;

/**
 * A worker as it was registered, the same on every node.
 *
 * @param url normalised base URL (see {@link WorkerUrl})
 * @param group routing group
 * @param stated what the registration says of the engine; the rest is asked of it
 * @param labels free text for the operator
 * @param draining takes no new sessions, and its bound sessions leave it with their next turn
 * @param origin who registered it
 */
public record Registration(
        WorkerId id,
        URI url,
        String group,
        EngineFacts stated,
        Map<String, String> labels,
        boolean draining,
        Origin origin) {
    /** The routing group of a worker, or of a request, that names none. */
    public static final String DEFAULT_GROUP = "default";

    /** Who registered a worker. */
    public enum Origin {
        /** A node's static list. */
        STATIC,
        /** The management API. */
        API
    }

    public Registration {
        if (group.isBlank()) {
            throw new IllegalArgumentException("group: \"" + group + "\" (expected: a name)");
        }
        labels = Map.copyOf(labels);
    }

    /** As a static list registers it: only the URL is given. */
    public static Registration ofStatic(URI url) {
        return new Registration(
                WorkerId.ofUrl(url), url, DEFAULT_GROUP, EngineFacts.UNKNOWN, Map.of(), false, Origin.STATIC);
    }

    public Registration withDraining(boolean value) {
        return new Registration(id, url, group, stated, labels, value, origin);
    }

    public Registration withGroup(String value) {
        return new Registration(id, url, value, stated, labels, draining, origin);
    }

    public Registration withLabels(Map<String, String> value) {
        return new Registration(id, url, group, stated, value, draining, origin);
    }
}
