package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where settings come from, the first that has a key wins: flags, environment, the file, the defaults. */
public final class ConfigSources {
    private static final String PREFIX = SettingsReader.ROOT + ".";
    private static final String FILE = "--config";

    /** Sections whose keys are names of models, or of workers. */
    private static final List<String> NAMED = List.of(
            SessionSettings.TTL_PER_MODEL,
            SessionSettings.MODE_PER_MODEL,
            TokenSettings.MODELS,
            ApiSettings.ALIASES,
            AccessReader.WORKERS);

    private ConfigSources() {}

    /**
     * Merges the sources.
     *
     * @param flags full key -> value, as the command line gave them
     * @param environment variables named after keys: {@code kvrouter.session-ttl} is {@code KVROUTER_SESSION_TTL}
     * @param file a HOCON file
     * @throws SettingException if the file can't be read, or file or flags name a key under {@code kvrouter} that does
     *     not exist
     */
    public static Config load(Map<String, String> flags, Map<String, String> environment, Optional<Path> file) {
        Config defaults = ConfigFactory.load();
        Config fromFlags = of(flags);
        Config fromFile = file.map(path -> read(path, defaults)).orElse(ConfigFactory.empty());
        requireKnown(fromFlags, defaults);
        requireKnown(fromFile, defaults);
        Config fromEnvironment = of(named(environment, defaults));
        return over(fromFlags, over(fromEnvironment, over(fromFile, unresolvedDefaults())))
                .resolve();
    }

    /** Not resolved: a default that refers to another setting follows it. */
    private static Config unresolvedDefaults() {
        return ConfigFactory.defaultOverrides()
                .withFallback(ConfigFactory.defaultApplication())
                .withFallback(ConfigFactory.defaultReferenceUnresolved());
    }

    /** One source over those after it. The two names of the idle timeout are one setting: the first source's counts. */
    private static Config over(Config source, Config rest) {
        Config others = source.hasPathOrNull(PREFIX + SessionSettings.TTL)
                ? rest.withoutPath(PREFIX + SessionSettings.TTL_SECONDS)
                : rest;
        return source.withFallback(others);
    }

    private static Config read(Path file, Config defaults) {
        if (!Files.isReadable(file)) {
            throw new SettingException(FILE, file + " can't be read");
        }
        try {
            Config parsed = ConfigFactory.parseFile(file.toFile());
            Config resolved = parsed.resolveWith(parsed.withFallback(defaults));
            if (resolved.hasPath(SettingsReader.ROOT)) {
                resolved.getConfig(SettingsReader.ROOT);
            }
            return resolved;
        } catch (ConfigException e) {
            throw new SettingException(FILE, String.valueOf(e.getMessage()));
        }
    }

    private static Config of(Map<String, String> values) {
        Config config = ConfigFactory.empty();
        for (var value : values.entrySet()) {
            try {
                config = config.withValue(value.getKey(), ConfigValueFactory.fromAnyRef(value.getValue()));
            } catch (ConfigException e) {
                throw new SettingException(value.getKey(), "no such setting");
            }
        }
        return config;
    }

    private static Map<String, String> named(Map<String, String> environment, Config defaults) {
        return leaves(PREFIX, defaults.getObject(SettingsReader.ROOT))
                .filter(key -> environment.containsKey(variable(key)))
                .collect(Collectors.toMap(key -> key, key -> environment.getOrDefault(variable(key), "")));
    }

    /** All keys, also of settings that are null unless they are set. */
    private static Stream<String> leaves(String prefix, ConfigObject section) {
        return section.entrySet().stream().flatMap(entry -> {
            String key = prefix + ConfigUtil.joinPath(entry.getKey());
            return entry.getValue() instanceof ConfigObject inner ? leaves(key + ".", inner) : Stream.of(key);
        });
    }

    /** The environment variable of a key. */
    static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    private static void requireKnown(Config source, Config defaults) {
        if (!source.hasPath(SettingsReader.ROOT)) {
            return;
        }
        for (var entry : source.getConfig(SettingsReader.ROOT).entrySet()) {
            String key = PREFIX + entry.getKey();
            boolean named = NAMED.stream().anyMatch(section -> key.startsWith(PREFIX + section + "."));
            if (!named && !defaults.hasPathOrNull(key)) {
                throw new SettingException(key, "no such setting");
            }
        }
    }
}
