package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Where settings come from, the first that has a key wins: flags, environment, the file, the defaults. */
public final class ConfigSources {
    private static final String PREFIX = SettingsReader.ROOT + ".";

    private ConfigSources() {}

    /**
     * Merges the sources.
     *
     * @param flags full key -> value, as the command line gave them
     * @param environment variables named after keys: {@code kvrouter.session-ttl} is {@code KVROUTER_SESSION_TTL}
     * @param file a HOCON file
     * @throws SettingException if the file can't be read, or names a key under {@code kvrouter} that does not exist
     */
    public static Config load(Map<String, String> flags, Map<String, String> environment, Optional<Path> file) {
        Config defaults = ConfigFactory.load();
        Config fromFile = file.map(ConfigSources::read).orElse(ConfigFactory.empty());
        requireKnown(fromFile, defaults);
        return of(flags)
                .withFallback(of(named(environment, defaults)))
                .withFallback(fromFile)
                .withFallback(ConfigFactory.defaultOverrides())
                .withFallback(ConfigFactory.defaultApplication())
                .withFallback(ConfigFactory.defaultReferenceUnresolved())
                .resolve(); // only now: the application's settings of Pekko follow ours
    }

    private static Config read(Path file) {
        if (!Files.isReadable(file)) {
            throw new SettingException("--config", file + " can't be read");
        }
        try {
            return ConfigFactory.parseFile(file.toFile());
        } catch (ConfigException e) {
            throw new SettingException("--config", String.valueOf(e.getMessage()));
        }
    }

    private static Config of(Map<String, String> values) {
        Config config = ConfigFactory.empty();
        for (var value : values.entrySet()) {
            config = config.withValue(value.getKey(), ConfigValueFactory.fromAnyRef(value.getValue()));
        }
        return config;
    }

    private static Map<String, String> named(Map<String, String> environment, Config defaults) {
        return defaults.getConfig(SettingsReader.ROOT).entrySet().stream()
                .map(entry -> PREFIX + entry.getKey())
                .filter(key -> environment.containsKey(variable(key)))
                .collect(Collectors.toMap(key -> key, key -> environment.getOrDefault(variable(key), "")));
    }

    /** The environment variable of a key. */
    static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    private static void requireKnown(Config file, Config defaults) {
        if (!file.hasPath(SettingsReader.ROOT)) {
            return;
        }
        for (var entry : file.getConfig(SettingsReader.ROOT).entrySet()) {
            String key = PREFIX + entry.getKey();
            boolean perModel = key.startsWith(PREFIX + SessionSettings.PER_MODEL + ".");
            if (!perModel && !defaults.hasPathOrNull(key)) {
                throw new SettingException(key, "no such setting");
            }
        }
    }
}
