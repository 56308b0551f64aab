package io.kvrouter.http.accesslog;

import com.typesafe.config.Config;
import io.kvrouter.http.settings.SettingException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The access log, from {@code kvrouter.access-log}.
 *
 * @param file empty = there is no log
 * @param maxBytes of one file
 * @param files that are kept, the one that is written included
 * @param queue lines that may wait to be written
 */
record AccessLogSettings(Optional<Path> file, long maxBytes, int files, int queue) {
    private static final String ROOT = "kvrouter.access-log.";
    static final String FILE = ROOT + "file";

    static AccessLogSettings from(Config config) {
        return new AccessLogSettings(
                config.hasPath(FILE) ? Optional.of(path(config.getString(FILE))) : Optional.empty(),
                positive(ROOT + "max-size", config.getBytes(ROOT + "max-size")),
                Math.toIntExact(positive(ROOT + "files", config.getInt(ROOT + "files"))),
                Math.toIntExact(positive(ROOT + "queue", config.getInt(ROOT + "queue"))));
    }

    private static Path path(String text) {
        try {
            if (!text.isBlank()) {
                return Path.of(text);
            }
        } catch (InvalidPathException e) {
            // said below
        }
        throw new SettingException(FILE, "\"" + text + "\" (expected: a file)");
    }

    private static long positive(String key, long value) {
        if (value <= 0) {
            throw new SettingException(key, value + " (expected: > 0)");
        }
        return value;
    }
}
