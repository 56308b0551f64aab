package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where settings come from, the first that has a key wins: flags, environment, the file, the defaults. */
public final class ConfigSources {
    private static final String PREFIX = SettingsReader.ROOT + ".";
    private static final String FILE = "--config";
    private static final Logger LOG = LoggerFactory.getLogger(ConfigSources.class);

    private ConfigSources() {}

    /**
     * Merges the sources. Variables that are named like settings, and are none, are logged: Kubernetes makes such.
     *
     * @param flags full key -> value, as the command line gave them
     * @param environment variables named after keys: {@code kvrouter.session-ttl} is {@code KVROUTER_SESSION_TTL}
     * @param file a HOCON file
     * @throws SettingException if the file can't be read, or file or flags name a key under {@code kvrouter} that does
     *     not exist, or one at the top that nothing reads
     */
    public static Config load(Map<String, String> flags, Map<String, String> environment, Optional<Path> file) {
        Config defaults = ConfigFactory.load();
        var known = new KnownSettings(defaults);
        Config fromFlags = of(flags, defaults);
        Config fromFile = file.map(path -> read(path, defaults)).orElse(ConfigFactory.empty());
        known.require(fromFlags);
        known.require(fromFile);
        Config fromEnvironment = of(known.in(environment), defaults);
        List<String> unknown = known.unknownIn(environment);
        if (!unknown.isEmpty()) {
            LOG.warn(
                    "no setting is named like these environment variables, so only a file that refers to them reads"
                            + " them: {}",
                    String.join(", ", unknown));
        }
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
            Config resolved = withoutVariables(parsed, defaults);
            if (resolved.hasPath(SettingsReader.ROOT)) {
                resolved.getConfig(SettingsReader.ROOT);
            }
            return resolved;
        } catch (ConfigException e) {
            throw new SettingException(FILE, String.valueOf(e.getMessage()));
        }
    }

    /** A key at the top that others in the file refer to is theirs, and no setting that lost its place. */
    private static Config withoutVariables(Config parsed, Config defaults) {
        Config all = resolved(parsed, defaults);
        Config settings = all;
        for (String key : parsed.root().keySet()) {
            if (!KnownSettings.top(key) && refersTo(key, parsed, all, defaults)) {
                settings = without(key, settings);
            }
        }
        return settings;
    }

    private static boolean refersTo(String key, Config parsed, Config resolved, Config defaults) {
        try {
            return !resolved(without(key, parsed), defaults).equals(without(key, resolved));
        } catch (ConfigException.UnresolvedSubstitution e) {
            return true;
        }
    }

    private static Config resolved(Config parsed, Config defaults) {
        return parsed.resolveWith(parsed.withFallback(defaults));
    }

    private static Config without(String key, Config config) {
        return config.root().withoutKey(key).toConfig();
    }

    private static Config of(Map<String, String> values, Config defaults) {
        Config config = ConfigFactory.empty();
        for (var entry : values.entrySet()) {
            String key = entry.getKey();
            try {
                config = config.withValue(key, value(key, entry.getValue(), defaults));
            } catch (ConfigException e) {
                throw new SettingException(key, "no such setting");
            }
        }
        return config;
    }

    /** A text, unless a list stands in brackets where one belongs: who reads a list takes one with commas too. */
    private static ConfigValue value(String key, String text, Config defaults) {
        String trimmed = text.strip();
        boolean list = trimmed.startsWith("[") && trimmed.endsWith("]") && isList(key, defaults);
        return list ? list(key, trimmed) : ConfigValueFactory.fromAnyRef(text);
    }

    private static boolean isList(String key, Config defaults) {
        return defaults.hasPath(key) && defaults.getValue(key).valueType() == ConfigValueType.LIST;
    }

    /** What can't be read is not shown: it may hold a secret. */
    private static ConfigValue list(String key, String text) {
        try {
            return ConfigFactory.parseString("list = " + text).resolve().getValue("list");
        } catch (ConfigException e) {
            throw new SettingException(key, "not a list (expected: [\"A\", \"B\"], or A,B)");
        }
    }
}
