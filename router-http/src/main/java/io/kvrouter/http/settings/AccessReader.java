package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import io.kvrouter.http.access.AccessSettings;
import io.kvrouter.http.access.SecretSource;
import io.kvrouter.worker.WorkerUrl;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads who may use a node, and what it shows to its workers. */
final class AccessReader {
    static final String WORKERS = "upstream.credentials";

    private static final String OF_LIST = "upstream.credential";
    private static final String FILE = "access.keys-file";
    private static final String TEXT = "access.keys";

    private AccessReader() {}

    static AccessSettings read(SettingsReader settings) {
        Optional<Path> file = given(settings, FILE).map(path -> path(path));
        Optional<String> text = given(settings, TEXT);
        settings.require(
                TEXT, file.isEmpty() || text.isEmpty(), "set beside kvrouter." + FILE + " (expected: one of the two)");
        return new AccessSettings(file, text, workers(settings));
    }

    /** Those of the static list by one setting, any by its URL. */
    private static Map<URI, SecretSource> workers(SettingsReader settings) {
        Map<URI, SecretSource> secrets = new HashMap<>();
        if (given(settings, OF_LIST).isPresent()) {
            SecretSource secret = settings.parsed(OF_LIST, SecretSource::parse);
            settings.list("worker-urls", WorkerUrl::normalise).forEach(url -> secrets.put(url, secret));
        }
        for (String url : settings.read(WORKERS, (c, key) -> c.getObject(key).keySet())) {
            secrets.put(url(url), settings.parsed(WORKERS + "." + ConfigUtil.quoteString(url), SecretSource::parse));
        }
        return secrets;
    }

    private static URI url(String text) {
        try {
            return WorkerUrl.normalise(text);
        } catch (IllegalArgumentException e) {
            throw new SettingException(SettingsReader.ROOT + "." + WORKERS, String.valueOf(e.getMessage()));
        }
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new SettingException(SettingsReader.ROOT + "." + FILE, text + " (expected: a file)");
        }
    }

    private static Optional<String> given(SettingsReader settings, String key) {
        return Optional.of(settings.read(key, Config::getString)).filter(text -> !text.isBlank());
    }
}
