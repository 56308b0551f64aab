package io.kvrouter.http.access;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Who may use a node, and by what its workers know it.
 *
 * @param file with keys; empty = none
 * @param text the same, written in a setting instead; empty = none
 * @param workers what to show to workers: base URL -> where the secret is
 */
public record AccessSettings(Optional<Path> file, Optional<String> text, Map<URI, SecretSource> workers) {
    public AccessSettings {
        workers = Map.copyOf(workers);
    }

    /** The text may have anything in it, so it is not shown. */
    @Override
    public String toString() {
        return "AccessSettings[file=" + file + ", workers=" + workers + "]";
    }
}
